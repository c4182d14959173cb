import {
  type BranchName,
  type Hash,
  type JsonObject,
  MAIN,
  PalimpsestError,
  parseBranch,
  type Timestamp,
  timestamp,
} from "../../core/base/index.js";
import {
  type BranchInfo,
  type BranchStatus,
  branchInfo,
  CHECKOUTS,
  checkoutRef,
  GENESIS,
  HEADS,
  headRef,
  snapshotsOf,
  stagingOf,
  tagRef,
} from "../../core/ledger/index.js";
import type { At, Clean, Context, Engine, RefPlan, Refs } from "../../repo/index.js";
import { FIRST_BRANCH, nowAt, parseNewName, tipAt, unfoundHead } from "../../repo/index.js";
import type { Ref, RefMove } from "../../storage/index.js";
import type { BranchChange, NewBranch, TraceOptions } from "../options.js";

export interface Branch extends BranchInfo {
  readonly name: BranchName;
  readonly head: Hash;
  /** Is it the one this session works on? */
  readonly current: boolean;
}

/** Every branch, by name. */
export async function branches(context: Context, names: Refs): Promise<Branch[]> {
  const refs = await names.refs(HEADS);
  if (!refs.has(headRef(MAIN))) refs.set(headRef(MAIN), { target: GENESIS.hash, meta: FIRST_BRANCH });
  return [...refs]
    .map(([ref, value]) => toBranch(context, ref, value))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toBranch(context: Context, ref: string, { target, meta }: Ref): Branch {
  const name = ref.slice(HEADS.length) as BranchName;
  return { name, head: target, ...branchInfo(meta, target), current: name === context.branch };
}

/** A name that exists is an error and is never moved: a persona's memory must not vanish because its name came again. */
export async function createBranch(
  context: Context,
  branchName: string,
  options: NewBranch,
  clean: Clean,
): Promise<RefPlan<Branch>> {
  const { engine } = context;
  const name = parseNewName(branchName);
  if (name === MAIN || (await engine.storage.ref(headRef(name)))) throw taken(`The branch ${name} exists`);
  if (await engine.storage.ref(tagRef(name))) throw taken(`A tag has the name ${name}`);
  const { hash } =
    options.from === undefined ? await engine.head(context.branch) : await tipAt(context, options.from);
  const meta = metaOf(clean, {
    persona: options.persona ?? name,
    purpose: options.purpose,
    status: options.status ?? "open",
    created: options.created ?? timestamp(engine.clock()),
    by: context.author.id,
    start: hash,
  });
  const next = { target: hash, meta };
  return {
    moves: [{ name: headRef(name), expect: null, next }],
    value: toBranch(context, headRef(name), next),
  };
}

/** Says something else of a branch; its head stays. */
export async function describeBranch(
  context: Context,
  branchName: string,
  change: BranchChange,
  clean: Clean,
): Promise<RefPlan<Branch>> {
  const { engine } = context;
  const { name, ref } = await requireBranch(engine, branchName);
  const next = { target: ref.target, meta: metaOf(clean, change) };
  const value = toBranch(context, name, { ...next, meta: { ...ref.meta, ...next.meta } });
  return { moves: [{ name, expect: ref.target, next, join: true }], value };
}

export async function renameBranch(context: Context, from: string, to: string): Promise<RefPlan<Branch>> {
  const { engine } = context;
  const { name, ref } = await requireBranch(engine, from);
  const next = headRef(parseNewName(to));
  if (name === headRef(MAIN)) throw inUse("The branch main keeps its name.");
  if (next === headRef(MAIN) || (await engine.storage.ref(next))) throw taken(`The branch ${to} exists`);
  if (await engine.storage.ref(tagRef(to as BranchName))) throw taken(`A tag has the name ${to}`);
  const users = await usersOf(engine, from);
  const belonging: RefMove[] = [];
  for (const prefixOf of [snapshotsOf, stagingOf]) {
    const [old, fresh] = [prefixOf(from as BranchName), prefixOf(to as BranchName)];
    for (const [its, { target, meta }] of await engine.storage.refs(old))
      belonging.push(
        { name: its, expect: target, next: null },
        { name: fresh + its.slice(old.length), expect: null, next: { target, ...(meta && { meta }) } },
      );
  }
  const formerly = [...(Array.isArray(ref.meta?.formerly) ? ref.meta.formerly : []), from];
  const moves = [...users].map(([user, checkout]) => ({
    name: user,
    expect: checkout.target,
    next: { target: checkout.target, meta: { branch: to } },
  }));
  return {
    moves: [
      { name, expect: ref.target, next: null },
      { name: next, expect: null, next: { target: ref.target, meta: { ...ref.meta, formerly } } },
      ...belonging,
      ...moves,
    ],
    value: toBranch(
      { ...context, branch: context.branch === from ? (to as BranchName) : context.branch },
      next,
      ref,
    ),
  };
}

/** Its commits stay as long as something rests on them, and `undo` brings it back. */
export async function deleteBranch(context: Context, branchName: string): Promise<RefPlan<Branch>> {
  const { engine } = context;
  const { name, ref } = await requireBranch(engine, branchName);
  if (name === headRef(MAIN)) throw inUse("The branch main cannot be deleted.");
  if (branchName === context.branch) throw inUse(`The branch ${branchName} is the one you are on.`);
  const [user] = await usersOf(engine, branchName);
  if (user) throw inUse(`The branch ${branchName} is checked out by ${user[0].slice(CHECKOUTS.length)}.`);
  const [{ assertMayLose }, { mayDropStaged }] = await Promise.all([
    import("../../memories/rights.js"),
    import("../../memories/staging.js"),
  ]);
  await assertMayLose(context, name, ref.target, `The branch ${branchName}`);
  const waiting = [...(await engine.storage.refs(stagingOf(branchName as BranchName)))];
  for (const [, { target }] of waiting)
    if (!(await mayDropStaged(context, target))) throw hiddenWaits(branchName);
  return {
    moves: [
      { name, expect: ref.target, next: null },
      ...waiting.map(([staged, { target }]) => ({ name: staged, expect: target, next: null })),
    ],
    value: toBranch(context, name, ref),
  };
}

/** Remembers where an agent works; running sessions of others stay where they are. */
export async function checkout(context: Context, branchName: string): Promise<RefPlan<Branch>> {
  const { engine } = context;
  const { name: head, ref } = await requireBranch(engine, branchName);
  const name = checkoutRef(context.agent);
  const before = await engine.storage.ref(name);
  const value = toBranch(
    { ...context, branch: branchName as BranchName },
    headRef(branchName as BranchName),
    ref,
  );
  if (before?.meta?.branch === branchName) return { moves: [], value };
  const next = { target: ref.target, meta: { branch: branchName } };
  const move = { name, expect: before?.target ?? null, next };
  // The head is named, so that nobody goes to a branch that is being deleted; main always stays.
  const stays = { name: head, expect: ref.target, next: { target: ref.target } };
  return { moves: head === headRef(MAIN) ? [move] : [move, stays], value };
}

/** The branch an agent was on last, if it is still there. */
export async function lastCheckout(engine: Engine, agent: string): Promise<BranchName | undefined> {
  const branch = (await engine.storage.ref(checkoutRef(agent)))?.meta?.branch;
  if (typeof branch !== "string" || branch === MAIN) return undefined;
  return (await headOf(engine, branch as BranchName)) ? (branch as BranchName) : undefined;
}

export async function requireBranch(
  engine: Engine,
  branchName: string,
): Promise<{ readonly name: string; readonly ref: Ref }> {
  const branch = parseBranch(branchName);
  const name = headRef(branch);
  const ref = await headOf(engine, branch);
  if (ref) return { name, ref };
  if (branchName === MAIN) return { name, ref: { target: GENESIS.hash, meta: FIRST_BRANCH } };
  throw new PalimpsestError("NO_BRANCH", `There is no branch ${JSON.stringify(branchName)}.`);
}

/** A branch as it is, or was, for this session; by default the one on which the session works. */
export async function branchAt(
  context: Context,
  { branch = context.branch, at }: TraceOptions,
): Promise<{ readonly at: At; readonly branch: BranchName }> {
  const { engine } = context;
  const { reader } = engine;
  await requireBranch(engine, branch);
  const name = branch as BranchName;
  if (at === undefined) {
    const now = { tip: await engine.head(name), now: timestamp(engine.clock()) };
    return { at: { context, reader, ...now }, branch: name };
  }
  const tip = await tipAt({ ...context, branch: name }, at);
  const now = await nowAt({ context, reader, tip });
  return { at: { context, reader, tip, now }, branch: name };
}

const headOf = async ({ storage, reader }: Engine, branch: BranchName): Promise<Ref | undefined> =>
  (await storage.ref(headRef(branch))) ?? unfoundHead(reader, branch);

async function usersOf({ storage }: Engine, branch: string): Promise<[string, Ref][]> {
  return [...(await storage.refs(CHECKOUTS))].filter(([, { meta }]) => meta?.branch === branch);
}

/** What is answered is what is kept: without secrets. */
function metaOf(
  clean: Clean,
  {
    persona,
    purpose,
    ...rest
  }: {
    persona?: string | undefined;
    purpose?: string | undefined;
    status?: BranchStatus | undefined;
    created?: Timestamp;
    by?: string;
    start?: Hash;
  },
): JsonObject {
  const info = { persona: persona && clean(persona), purpose: purpose && clean(purpose), ...rest };
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined)) as JsonObject;
}

const taken = (what: string) => new PalimpsestError("NAME_TAKEN", `${what} already.`);
const hiddenWaits = (branch: string) =>
  new PalimpsestError("REFUSED", `Beside the branch ${branch} waits what this session does not see.`, {
    hint: "Nothing was changed. Use a session that sees all of it (--scopes, --clearance).",
  });
const inUse = (message: string) => new PalimpsestError("BRANCH_IN_USE", message);
