import { type MemoryId, PalimpsestError, type Scope } from "../../core/base/index.js";
import { type MemoryRecord, positionBetween } from "../../core/ledger/index.js";
import { cleanText } from "../../gate/index.js";
import type { Atomic } from "../../memories/index.js";
import { Followed, forgetOrRefuse, remember } from "../../memories/index.js";
import { checkGiven, type Draft, listOf, plainGiven, shape, text, texts } from "../../repo/index.js";
import {
  type Entity,
  type EntityGraph,
  entityId,
  entityMemory,
  exactText,
  GRAPH_TYPES,
  type Relation,
  relationId,
  relationMemory,
  relationOf,
  remarkId,
  remarkMemory,
} from "../graph.js";
import type { ImportedMemory } from "../import/item.js";
import { GraphState } from "./graph-state.js";

export interface AddedObservations {
  readonly entityName: string;
  readonly addedObservations: readonly string[];
}

const ENTITIES = listOf(
  shape({ name: text, entityType: text, observations: texts }),
  "entities, each with a name, an entityType and observations",
);
const RELATIONS = listOf(
  shape({ from: text, to: text, relationType: text }),
  "relations, each with from, to and a relationType",
);
const ADDITIONS = listOf(shape({ entityName: text, contents: texts }), "entityName and contents");
const DELETIONS = listOf(shape({ entityName: text, observations: texts }), "entityName and observations");

/**
 * A knowledge graph in one scope of a store, with the verbs of the official memory server. Every change is one commit, made
 * on the head it was decided on, so that several processes never take each other's work back.
 */
export class KnowledgeGraph {
  readonly #atomic: Atomic;
  readonly #scope: Scope;
  readonly #state = new GraphState();
  readonly #followed: Followed;

  constructor(atomic: Atomic, scope: Scope) {
    this.#atomic = atomic;
    this.#scope = scope;
    this.#followed = new Followed(atomic.context.sight, scope, GRAPH_TYPES, (was, is) =>
      this.#state.change(was, is),
    );
  }

  read(): Promise<EntityGraph> {
    return this.#reading(() => this.#state.whole());
  }

  /** Entities that hold the text anywhere, in whatever case, and the relations they are in. */
  async search(query: string): Promise<EntityGraph> {
    checkGiven("search", { query }, { query: text });
    return this.#reading(() => this.#state.around(this.#state.holding(query)));
  }

  async open(names: readonly string[]): Promise<EntityGraph> {
    const asked = plainGiven("open", "names", names, texts);
    return this.#reading(() => {
      const wanted = new Set(asked.map((name) => this.#clean(name)));
      const found = [...wanted].flatMap((name) => this.#state.named(name));
      const ids = new Set(found.map(({ id }) => id));
      return this.#state.around(
        found.length < 2 ? found : this.#state.entities.filter(({ id }) => ids.has(id)),
      );
    });
  }

  /** Answers with those that are new; a name that is there is left as it is. */
  async createEntities(entities: readonly Entity[]): Promise<Entity[]> {
    const given = plainGiven("createEntities", "entities", entities, ENTITIES);
    return this.#changing("create entities", async (draft) => {
      const fresh = given
        .map(({ name, entityType, observations }) => ({
          ...{ name: this.#clean(name), entityType: this.#clean(entityType) },
          observations: observations.map((text) => this.#clean(text)),
        }))
        .filter(({ name }) => this.#state.named(name).length === 0);
      const count = counter();
      let position = this.#state.entities.at(-1)?.position;
      for (const entity of fresh) {
        const id = entityId(entity.name, count(entity.name));
        position = positionBetween(position, undefined);
        await this.#put(draft, entityMemory(entity, { id, position }));
        await this.#observe(draft, id, entity.observations, undefined, counter());
      }
      return fresh;
    });
  }

  /** Answers with those that are new. */
  async createRelations(relations: readonly Relation[]): Promise<Relation[]> {
    const given = plainGiven("createRelations", "relations", relations, RELATIONS);
    return this.#changing("create relations", async (draft) => {
      const known = new Set(this.#state.relations.map((record) => keyOf(relationOf(record))));
      const fresh = given.map((one) => this.#cleanRelation(one)).filter((one) => !known.has(keyOf(one)));
      const count = counter();
      let position = this.#state.relations.at(-1)?.position;
      for (const relation of fresh) {
        position = positionBetween(position, undefined);
        const id = relationId(relation, count(keyOf(relation)));
        await this.#put(draft, relationMemory(relation, { id, position }));
      }
      return fresh;
    });
  }

  /** All or nothing: an entity that is not there is an error. */
  async addObservations(
    observations: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
  ): Promise<AddedObservations[]> {
    const given = plainGiven("addObservations", "observations", observations, ADDITIONS);
    return this.#changing("add observations", async (draft) => {
      const results: AddedObservations[] = [];
      /** What earlier items of this call have added. */
      const added = new Map<MemoryId, { texts: Set<string>; last: string | undefined }>();
      for (const { entityName, contents } of given) {
        const [entity] = this.#state.named(this.#clean(entityName));
        if (!entity) throw new PalimpsestError("NOT_FOUND", `Entity with name ${entityName} not found`);
        const remarks = this.#state.remarksOf(entity.id);
        const known = added.get(entity.id) ?? {
          ...{ texts: new Set(remarks.map(exactText)), last: remarks.at(-1)?.position },
        };
        added.set(entity.id, known);
        const fresh = contents.map((text) => this.#clean(text)).filter((text) => !known.texts.has(text));
        known.last = await this.#observe(draft, entity.id, fresh, known.last, counter());
        for (const text of fresh) known.texts.add(text);
        results.push({ entityName, addedObservations: fresh });
      }
      return results;
    });
  }

  /** Takes the relations of the entities along. What is not there is passed over. */
  async deleteEntities(names: readonly string[]): Promise<void> {
    const given = plainGiven("deleteEntities", "names", names, texts);
    return this.#changing("delete entities", async (draft) => {
      const gone = new Set(given.map((name) => this.#clean(name)));
      for (const name of gone)
        for (const entity of this.#state.named(name)) {
          for (const remark of this.#state.remarksOf(entity.id)) await this.#forget(draft, remark);
          await this.#forget(draft, entity);
        }
      for (const record of this.#state.relations) {
        const { from, to } = relationOf(record);
        if (gone.has(from) || gone.has(to)) await this.#forget(draft, record);
      }
    });
  }

  async deleteObservations(
    deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
  ): Promise<void> {
    const given = plainGiven("deleteObservations", "deletions", deletions, DELETIONS);
    return this.#changing("delete observations", async (draft) => {
      for (const { entityName, observations } of given) {
        const [entity] = this.#state.named(this.#clean(entityName));
        const gone = new Set(observations.map((text) => this.#clean(text)));
        for (const remark of entity ? this.#state.remarksOf(entity.id) : [])
          if (gone.has(exactText(remark))) await this.#forget(draft, remark);
      }
    });
  }

  async deleteRelations(relations: readonly Relation[]): Promise<void> {
    const given = plainGiven("deleteRelations", "relations", relations, RELATIONS);
    return this.#changing("delete relations", async (draft) => {
      const gone = new Set(given.map((one) => keyOf(this.#cleanRelation(one))));
      for (const record of this.#state.relations)
        if (gone.has(keyOf(relationOf(record)))) await this.#forget(draft, record);
    });
  }

  #reading<T>(look: () => T): Promise<T> {
    return this.#atomic.read(async (reader, tip) => {
      await this.#followed.follow(reader, tip);
      return look();
    });
  }

  #changing<T>(message: string, run: (draft: Draft) => Promise<T>): Promise<T> {
    return this.#atomic.write("graph", message, async (draft) => {
      await this.#followed.follow(draft.reader, draft.tip);
      return run(draft);
    });
  }

  async #observe(
    draft: Draft,
    entity: MemoryId,
    texts: readonly string[],
    after: string | undefined,
    count: (text: string) => number,
  ): Promise<string | undefined> {
    let position = after;
    for (const text of texts) {
      position = positionBetween(position, undefined);
      await this.#put(
        draft,
        remarkMemory(entity, text, { id: remarkId(entity, text, count(text)), position }),
      );
    }
    return position;
  }

  async #put(draft: Draft, memory: ImportedMemory): Promise<void> {
    const { context } = this.#atomic;
    const input = { ...memory, scope: this.#scope };
    const { verdict, reason, id } = await remember({ context, draft }, input, "add", true);
    if (verdict === "rejected" || verdict === "quarantined")
      throw new PalimpsestError("REFUSED", reason ?? "The memory does not take this.");
    const entry = await draft.entry(this.#scope, id as MemoryId);
    if (entry) this.#followed.expect(entry.hash, entry.record);
  }

  async #forget(draft: Draft, { scope, id }: MemoryRecord): Promise<void> {
    const entry = await draft.entry(scope, id);
    if (entry) await forgetOrRefuse({ context: this.#atomic.context, draft }, entry);
  }

  /** What must not be kept is cut out of a name wherever it is said, so that it still finds what it named. */
  #clean(text: string): string {
    return cleanText(text, this.#atomic.context.rules.modes.document);
  }

  #cleanRelation({ from, to, relationType }: Relation): Relation {
    return { from: this.#clean(from), to: this.#clean(to), relationType: this.#clean(relationType) };
  }
}

const keyOf = ({ from, to, relationType }: Relation): string => JSON.stringify([from, to, relationType]);

/** How often a text was counted before. */
function counter(): (text: string) => number {
  const counts = new Map<string, number>();
  return (text) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    return count;
  };
}
