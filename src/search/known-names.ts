import type { Scope } from "../core/base/index.js";
import { clears, type MemoryRecord, type Sensitivity, sensitivityOf } from "../core/ledger/index.js";
import type { Sight } from "../repo/index.js";
import { Names } from "./embed/names.js";
import { mentionOf } from "./embedding-text.js";

/** The memories of one scope and sensitivity: whoever sees one of them sees them all. */
export interface Part {
  readonly at: number;
  readonly scope: Scope;
  readonly sensitivity: Sensitivity;
  readonly names: Names;
}

/**
 * The names that memories mention, by scope and sensitivity. A text is stripped only of names known from its own
 * scope at or below its own sensitivity: so nothing that a reader of the text does not see changes its vector.
 */
export class KnownNames {
  readonly #parts = new Map<string, Part>();
  /** Made again when something was learnt. */
  #seen = new WeakMap<Sight, Names>();
  readonly #touched = new Set<Scope>();
  readonly #joined = new Map<Part, { readonly names: Names; readonly signature: string }>();

  partOf(record: MemoryRecord): Part {
    const [scope, sensitivity] = [record.scope, sensitivityOf(record)];
    const key = `${sensitivity} ${scope}`;
    let part = this.#parts.get(key);
    if (!part) {
      part = { at: this.#parts.size, scope, sensitivity, names: new Names() };
      this.#parts.set(key, part);
    }
    return part;
  }

  parts(): Iterable<Part> {
    return this.#parts.values();
  }

  /** Learns from records; what that changes is found out by `settle`, once for all of them. */
  learn(records: Iterable<MemoryRecord>): void {
    this.#seen = new WeakMap();
    for (const record of records) {
      this.partOf(record).names.learn(mentionOf(record));
      this.#touched.add(record.scope);
    }
  }

  /** Answers the parts whose texts may be stripped differently since the last call. */
  settle(): Set<Part> {
    const changed = new Set<Part>();
    for (const part of this.#parts.values()) {
      if (!this.#touched.has(part.scope)) continue;
      const names = this.#join(
        (other) => other.scope === part.scope && clears(part.sensitivity, other.sensitivity),
      );
      const { signature } = names;
      const before = this.#joined.get(part);
      if (before?.signature !== signature) changed.add(part);
      this.#joined.set(part, { names, signature });
    }
    this.#touched.clear();
    return changed;
  }

  /** For the texts of a part. */
  of(part: Part): Names {
    return this.#joined.get(part)?.names ?? part.names;
  }

  /** For a question: all that the one who asks may see. */
  seenBy(sight: Sight): Names {
    const known = this.#seen.get(sight);
    if (known) return known;
    const names = this.#join((part) => sight.sees(part.scope) && clears(sight.clearance, part.sensitivity));
    this.#seen.set(sight, names);
    return names;
  }

  #join(which: (part: Part) => boolean): Names {
    return new Names().join([...this.#parts.values()].filter(which).map(({ names }) => names));
  }
}
