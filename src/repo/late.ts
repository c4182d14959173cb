/** Code that is loaded when it is first used. It is kept, because `import()` costs more than a write of a batch may. */
export class Late<M> {
  readonly #import: () => Promise<M>;
  #loading: Promise<M> | undefined;
  /** The code, once it is there. */
  loaded: M | undefined;

  constructor(load: () => Promise<M>) {
    this.#import = load;
  }

  load(): Promise<M> {
    this.#loading ??= this.#import().then((code) => (this.loaded = code));
    return this.#loading;
  }
}

/** The code of writes, loaded with the first. */
export const writing = new Late(() => import("./write/writing.js"));
