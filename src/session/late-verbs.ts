type Verbs = typeof import("./write-verbs.js");

let loading: Promise<Verbs> | undefined;
let ready: Verbs | undefined;

/** The verbs that write, loaded with the first write. Kept, because `import()` costs more than a write of a batch may. */
export const writeVerbs = (): Promise<Verbs> =>
  (loading ??= import("./write-verbs.js").then((verbs) => (ready = verbs)));

/** The same without waiting, once they are loaded. */
export const loadedVerbs = (): Verbs | undefined => ready;
