import type { Verdict } from "../gate/index.js";
import type { Access } from "./access.js";
import { answer } from "./access.js";
import type { At, Context, Job } from "./context.js";
import { Late } from "./late.js";
import { checkOptions, type Fields, type Given, WRITING } from "./options.js";
import { type Clean, commitVerdict, commitVerdicts, moveRefs, type RefPlan } from "./write/commit.js";

/** What a verb may do to a store: only look, change memories, change names, take bytes away. */
export type Effect = "reads" | "writes" | "moves refs" | "erases";

/** What a verb is to those who call it. */
type Callable = (...args: never[]) => unknown;

/**
 * A verb is a value: what it does to the store, the options it takes, and the function that it is to a session. Each room
 * has a table of its verbs; a session is all tables bound to one access. Doors read the fields of the options from here.
 */
export interface Verb<F extends Callable = Callable, O extends Fields = Fields> {
  readonly effect: Effect;
  readonly options: O;
  bind(access: Access, name: string): F;
}

/** The functions that verbs are to a session. */
export type Bound<V> = { readonly [K in keyof V]: V[K] extends Verb<infer F, infer _> ? F : never };

/** Options come last and may be left out. */
type Call<A extends readonly unknown[], O, R> = (...args: [...A, options?: O]) => Promise<R>;

/** What is read is frozen: nobody adds to a list that was answered. */
type Frozen<R> = R extends readonly (infer T)[] ? readonly T[] : R;

const NONE = {};

/** A verb whose options come after `count` arguments: it checks them, and answers with what `answerTo` makes of the call. */
function withOptionsLast<O extends Fields, A extends readonly unknown[], R>(
  effect: Effect,
  options: O,
  count: number,
  answerTo: (access: Access, options: Given<O>, args: A) => Promise<R>,
): Verb<Call<A, Given<O>, R>, O> {
  const bind = (access: Access, name: string): Call<A, Given<O>, R> => {
    return async (...call) => {
      const taken = (call[count] ?? NONE) as Given<O>;
      if (taken !== NONE) checkOptions(name, taken, options);
      return answerTo(access, taken, call.slice(0, count) as unknown as A);
    };
  };
  return { effect, options, bind };
}

/**
 * Reads the present state, or with the option `at` an older one. `run` takes the code of the verb, what it stands on, its
 * options, and what is given before them, without default values: they are counted.
 */
export function read<O extends Fields, M, A extends readonly unknown[], R>(
  options: O,
  load: () => Promise<M>,
  run: (code: M, at: At, options: Given<O>, ...args: A) => Promise<R> | R,
): Verb<Call<A, Given<O>, Frozen<R>>, O> {
  const code = new Late(load);
  return withOptionsLast("reads", options, run.length - 3, (access, taken, args: A) => {
    const { at: when } = taken as { readonly at?: string };
    const found = access.read(when, async (at) =>
      run(code.loaded ?? (await code.load()), at, taken, ...args),
    );
    return found as Promise<Frozen<R>>;
  });
}

/** Reads what is no part of any one state: names, notes, operations, files. */
export function ask<O extends Fields, M, A extends readonly unknown[], R>(
  options: O,
  load: () => Promise<M>,
  run: (code: M, context: Context, options: Given<O>, ...args: A) => Promise<R> | R,
): Verb<Call<A, Given<O>, Frozen<R>>, O> {
  const code = new Late(load);
  return withOptionsLast("reads", options, run.length - 3, async (access, taken, args: A) => {
    const found = await access.open(async (context) => run(await code.load(), context, taken, ...args));
    return answer(found) as Frozen<R>;
  });
}

/**
 * Does what is more than one read or one write, once it is known on which branch the session works: the function takes the
 * session's access. What it answers is not frozen.
 */
export function act<O extends Fields, M, A extends readonly unknown[], R>(
  effect: Effect,
  options: O,
  load: () => Promise<M>,
  run: (code: M, access: Access, options: Given<O>, ...args: A) => Promise<R> | R,
): Verb<Call<A, Given<O>, R>, O> {
  const code = new Late(load);
  return withOptionsLast(effect, options, run.length - 3, (access, taken, args: A) =>
    // On the branch that it was called on, wherever the session is by the time the code is there.
    access.open(async (context) => run(await code.load(), access.forCall(context), taken, ...args)),
  );
}

/** Changes memories as one commit, and answers with the verdict of the gate. `verb` is its name in the history. */
export function write<O extends Fields, M, A extends readonly unknown[]>(
  verb: string,
  own: O,
  load: () => Promise<M>,
  run: (code: M, job: Job, options: Given<O & typeof WRITING>, ...args: A) => Promise<Verdict>,
): Verb<Call<A, Given<O & typeof WRITING>, Verdict>, O & typeof WRITING> {
  return writing(verb, own, load, run, commitVerdict);
}

/** The same with several verdicts. */
export function writeSeveral<O extends Fields, M, A extends readonly unknown[]>(
  verb: string,
  own: O,
  load: () => Promise<M>,
  run: (code: M, job: Job, options: Given<O & typeof WRITING>, ...args: A) => Promise<Verdict[]>,
): Verb<Call<A, Given<O & typeof WRITING>, Verdict[]>, O & typeof WRITING> {
  return writing(verb, own, load, run, commitVerdicts);
}

function writing<O extends Fields, M, A extends readonly unknown[], V>(
  verb: string,
  own: O,
  load: () => Promise<M>,
  run: (code: M, job: Job, options: Given<O & typeof WRITING>, ...args: A) => Promise<V>,
  commit: (
    context: Context,
    change: { verb: string; options: Given<O & typeof WRITING>; run(job: Job): Promise<V> },
  ) => Promise<V>,
): Verb<Call<A, Given<O & typeof WRITING>, V>, O & typeof WRITING> {
  const code = new Late(load);
  const options = { ...WRITING, ...own };
  return withOptionsLast("writes", options, run.length - 3, (access, taken, args: A) =>
    access.write(code, (loaded, context) =>
      commit(context, { verb, options: taken, run: (job) => run(loaded, job, taken, ...args) }),
    ),
  );
}

/** Makes, moves or drops names of commits. `run` plans the moves; `alone`: no other ref may move meanwhile. */
export function move<O extends Fields, M, A extends readonly unknown[], T>(
  verb: string,
  options: O,
  load: () => Promise<M>,
  run: (
    code: M,
    context: Context,
    options: Given<O>,
    clean: Clean,
    ...args: A
  ) => RefPlan<T> | Promise<RefPlan<T>>,
  how?: { readonly alone: boolean },
): Verb<Call<A, Given<O>, T>, O> {
  const code = new Late(load);
  return withOptionsLast("moves refs", options, run.length - 4, (access, taken, args: A) =>
    access.open(async (context) => {
      const loaded = await code.load();
      return moveRefs(context, verb, async (clean) => run(loaded, context, taken, clean, ...args), how);
    }),
  );
}

/** A verb that is more than one read or one write: it says itself what it does with a session's access. */
export const verb = <F extends Callable, O extends Fields>(
  effect: Effect,
  options: O,
  bind: (access: Access, name: string) => F,
): Verb<F, O> => ({ effect, options, bind });
