let loaded: Promise<typeof import("./writing.js")> | undefined;

/** The code of writes, loaded with the first. Kept, because `import()` costs more than a write of a batch may. */
export const writing = (): Promise<typeof import("./writing.js")> =>
  (loaded ??= import("./writing.js").then((code) => (ready = code)));

let ready: typeof import("./writing.js") | undefined;

/** The same without waiting, once it is loaded. */
export const loadedWriting = (): typeof ready => ready;
