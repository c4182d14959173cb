import type { MemoryId } from "../../core/base/index.js";
import type { MemoryRecord } from "../../core/ledger/index.js";
import { byPosition, type Entity, exactText, type Relation, relationOf, typeOfEntity } from "../graph.js";

/** An entity as it is answered with, and as it is searched. */
interface Node extends Entity {
  readonly id: MemoryId;
  readonly remarks: readonly MemoryRecord[];
  readonly lower: string;
}

/** Stands between the fields of an entity; a question that holds it is compared field by field. */
const BETWEEN = "\u0000";

/** The records of a graph in the order in which they came. */
class Ordered {
  readonly #records = new Map<MemoryId, MemoryRecord>();
  #list: MemoryRecord[] | undefined;

  put(record: MemoryRecord): void {
    const last = this.#list?.at(-1);
    const isAppended = this.#list && !this.#records.has(record.id) && (!last || byPosition(last, record) < 0);
    this.#records.set(record.id, record);
    if (isAppended) this.#list?.push(record);
    else this.#list = undefined;
  }

  drop(id: MemoryId): void {
    if (this.#records.delete(id)) this.#list = undefined;
  }

  get(id: MemoryId): MemoryRecord | undefined {
    return this.#records.get(id);
  }

  get size(): number {
    return this.#records.size;
  }

  get list(): readonly MemoryRecord[] {
    this.#list ??= [...this.#records.values()].sort(byPosition);
    return this.#list;
  }
}

/** A knowledge graph in RAM, made from its records and answering in the official server's order. */
export class GraphState {
  readonly #entities = new Ordered();
  readonly #relations = new Ordered();
  readonly #remarks = new Map<string, Ordered>();
  readonly #nodes = new Map<string, Node>();
  readonly #byName = new Map<string, Set<MemoryId>>();
  #long: { readonly text: string; readonly ends: readonly number[] } | undefined;

  /** One record went, came, or became another. */
  change(was: MemoryRecord | undefined, is: MemoryRecord | undefined): void {
    if ((was ?? is)?.type !== "relation") this.#long = undefined;
    if (was) this.#drop(was);
    if (is) this.#put(is);
  }

  #put(record: MemoryRecord): void {
    const { type, id, parent } = record;
    if (type === "relation") this.#relations.put(record);
    if (type === "entity") {
      this.#entities.put(record);
      this.#nodes.delete(id);
      const name = exactText(record);
      const same = this.#byName.get(name);
      if (same) same.add(id);
      else this.#byName.set(name, new Set([id]));
    }
    if (type === "remark" && parent !== undefined) {
      const remarks = this.#remarks.get(parent) ?? new Ordered();
      this.#remarks.set(parent, remarks);
      remarks.put(record);
      this.#nodes.delete(parent);
    }
  }

  #drop({ type, id, parent, ...record }: MemoryRecord): void {
    if (type === "relation") this.#relations.drop(id);
    if (type === "entity") {
      this.#entities.drop(id);
      this.#nodes.delete(id);
      const name = exactText(record);
      const same = this.#byName.get(name);
      if (same?.delete(id) && same.size === 0) this.#byName.delete(name);
    }
    if (type === "remark" && parent !== undefined) {
      const remarks = this.#remarks.get(parent);
      remarks?.drop(id);
      if (remarks?.size === 0) this.#remarks.delete(parent);
      this.#nodes.delete(parent);
    }
  }

  get entities(): readonly MemoryRecord[] {
    return this.#entities.list;
  }
  get relations(): readonly MemoryRecord[] {
    return this.#relations.list;
  }
  remarksOf(entity: MemoryId): readonly MemoryRecord[] {
    return this.#remarks.get(entity)?.list ?? [];
  }

  /** The entities of a name, in order: nearly always one. */
  named(name: string): MemoryRecord[] {
    return [...(this.#byName.get(name) ?? [])]
      .map((id) => this.#entities.get(id) as MemoryRecord)
      .sort(byPosition);
  }

  node(record: MemoryRecord): Node {
    const known = this.#nodes.get(record.id);
    if (known) return known;
    const remarks = this.remarksOf(record.id);
    const name = exactText(record);
    const entityType = typeOfEntity(record);
    const observations = remarks.map(exactText);
    const lower = [name, entityType, ...observations].map((text) => text.toLowerCase()).join(BETWEEN);
    const node = { id: record.id, name, entityType, observations, remarks, lower };
    this.#nodes.set(record.id, node);
    return node;
  }

  /** Entities that hold a text in their name, their type or an observation, in whatever case. */
  holding(query: string): MemoryRecord[] {
    const asked = query.toLowerCase();
    if (asked === "") return [...this.entities];
    if (asked.includes(BETWEEN))
      return this.entities.filter((record) => {
        const { name, entityType, observations } = this.node(record);
        return [name, entityType, ...observations].some((text) => text.toLowerCase().includes(asked));
      });
    const { text, ends } = this.#lowered();
    const found: MemoryRecord[] = [];
    let entity = 0;
    for (let at = text.indexOf(asked); at >= 0; at = text.indexOf(asked, ends[entity - 1])) {
      while ((ends[entity] as number) <= at) entity++;
      found.push(this.entities[entity++] as MemoryRecord);
      if (entity === ends.length) break;
    }
    return found;
  }

  /** All entities as one text, because one search in a long text is far quicker than one in each of many short ones. */
  #lowered(): { readonly text: string; readonly ends: readonly number[] } {
    if (this.#long) return this.#long;
    const ends: number[] = [];
    let length = 0;
    const parts = this.entities.map((record) => {
      const { lower } = this.node(record);
      length += lower.length + BETWEEN.length;
      ends.push(length);
      return lower + BETWEEN;
    });
    this.#long = { text: parts.join(""), ends };
    return this.#long;
  }

  /** Some entities, and the relations that one of them is in. */
  around(found: readonly MemoryRecord[]): { entities: Entity[]; relations: Relation[] } {
    const entities = found.map((record) => entityOf(this.node(record)));
    const names = new Set(entities.map(({ name }) => name));
    const relations =
      names.size === 0
        ? []
        : this.relations.map(relationOf).filter(({ from, to }) => names.has(from) || names.has(to));
    return { entities, relations };
  }

  whole(): { entities: Entity[]; relations: Relation[] } {
    return {
      entities: this.entities.map((record) => entityOf(this.node(record))),
      relations: this.relations.map(relationOf),
    };
  }
}

const entityOf = ({ name, entityType, observations }: Node): Entity => ({ name, entityType, observations });
