/** What is no argument of any verb, or looks like one and is not: each made anew, so that no call finds what another left. */
export const WRONG: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  "a number": () => 7,
  "no number": () => Number.NaN,
  "a bigint": () => 7n,
  true: () => true,
  "an empty text": () => "",
  "a text with NUL": () => "a\0b",
  "half a character": () => "\ud800",
  "a symbol": () => Symbol("s"),
  "a function": () => () => 1,
  "an empty list": () => [],
  "a list of nothing": () => [null, undefined],
  "a list of lists": () => [[["a"]]],
  "a list of symbols": () => [Symbol("s")],
  "a list with holes": () => new Array(3),
  "an empty object": () => ({}),
  "an object of others": () => ({ some: { thing: "else" } }),
  "a date": () => new Date(0),
  "a map": () => new Map([["a", 1]]),
  bytes: () => new Uint8Array(4),
  "a text as an object": () => Object("first"),
  "an object without a prototype": () => Object.create(null),
  "an object that is no text": () => ({
    toString() {
      throw new TypeError("no text");
    },
  }),
  "a getter that throws": () => withGetters(),
  "a list whose items throw": () => new Proxy(["first"], { get: thrower }),
  "a proxy that throws": () =>
    new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getPrototypeOf: thrower }),
  "a proxy that was revoked": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a list that was revoked": () => {
    const { proxy, revoke } = Proxy.revocable(["first"], {});
    revoke();
    return proxy;
  },
  "a deep object": () => deep((inner) => ({ a: inner })),
  "a deep list": () => deep((inner) => [inner]),
  "a cycle": () => {
    const cycle: Record<string, unknown> = {};
    cycle.contents = [cycle];
    cycle.data = cycle;
    return cycle;
  },
  "a long object": () => Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, at])),
};

/** So deep that whoever looks into it by calling itself has no stack left. */
const DEPTH = 50_000;

function deep(wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = "first";
  for (let at = 0; at < DEPTH; at++) value = wrap(value);
  return value;
}

const thrower = (): never => {
  throw new TypeError("nothing can be read of this");
};

/** Names of fields that verbs read. */
const READ =
  "text id ids name at scope message dryRun key summary reason type take value rooms contents role".split(
    " ",
  );

const withGetters = (): object =>
  Object.defineProperties(
    {},
    Object.fromEntries(READ.map((name) => [name, { enumerable: true, get: thrower }])),
  );

/** Every tree in which one place of this one holds what is wrong: the whole, or a part of it. */
export function* withWrong(tree: unknown, wrong: () => unknown): Generator<unknown> {
  yield wrong();
  if (Array.isArray(tree))
    for (const [at, item] of tree.entries())
      for (const one of withWrong(item, wrong)) yield tree.with(at, one);
  else if (typeof tree === "object" && tree !== null)
    for (const [key, item] of Object.entries(tree)) {
      for (const one of withWrong(item, wrong)) yield { ...tree, [key]: one };
      const { [key]: _, ...without } = tree as Record<string, unknown>;
      yield without;
    }
}
