import { type MemoryId, PalimpsestError, type Scope } from "../../core/base/index.js";
import { type MemoryRecord, positionBetween } from "../../core/ledger/index.js";
import { cleanText } from "../../gate/index.js";
import { Followed, forgetOrRefuse, remember } from "../../memories/index.js";
import {
  type Access,
  checkGiven,
  type Job,
  listOf,
  plainGiven,
  shape,
  text,
  texts,
} from "../../repo/index.js";
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
  readonly #access: Access;
  readonly #scope: Scope;
  readonly #state = new GraphState();
  readonly #followed: Followed;

  constructor(access: Access, scope: Scope) {
    this.#access = access;
    this.#scope = scope;
    this.#followed = new Followed(access.context.sight, scope, GRAPH_TYPES, (was, is) =>
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
    const wanted = plainGiven("createEntities", "entities", entities, ENTITIES);
    return this.#changing("create entities", async (job) => {
      const fresh = wanted
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
        await this.#put(job, entityMemory(entity, { id, position }));
        await this.#observe(job, id, entity.observations, undefined, counter());
      }
      return fresh;
    });
  }

  /** Answers with those that are new. */
  async createRelations(relations: readonly Relation[]): Promise<Relation[]> {
    const wanted = plainGiven("createRelations", "relations", relations, RELATIONS);
    return this.#changing("create relations", async (job) => {
      const known = new Set(this.#state.relations.map((record) => keyOf(relationOf(record))));
      const fresh = wanted.map((one) => this.#cleanRelation(one)).filter((one) => !known.has(keyOf(one)));
      const count = counter();
      let position = this.#state.relations.at(-1)?.position;
      for (const relation of fresh) {
        position = positionBetween(position, undefined);
        const id = relationId(relation, count(keyOf(relation)));
        await this.#put(job, relationMemory(relation, { id, position }));
      }
      return fresh;
    });
  }

  /** All or nothing: an entity that is not there is an error. */
  async addObservations(
    observations: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
  ): Promise<AddedObservations[]> {
    const wanted = plainGiven("addObservations", "observations", observations, ADDITIONS);
    return this.#changing("add observations", async (job) => {
      const results: AddedObservations[] = [];
      /** What earlier items of this call have added. */
      const added = new Map<MemoryId, { texts: Set<string>; last: string | undefined }>();
      for (const { entityName, contents } of wanted) {
        const [entity] = this.#state.named(this.#clean(entityName));
        if (!entity) throw new PalimpsestError("NOT_FOUND", `Entity with name ${entityName} not found`);
        const remarks = this.#state.remarksOf(entity.id);
        const known = added.get(entity.id) ?? {
          ...{ texts: new Set(remarks.map(exactText)), last: remarks.at(-1)?.position },
        };
        added.set(entity.id, known);
        const fresh = contents.map((text) => this.#clean(text)).filter((text) => !known.texts.has(text));
        known.last = await this.#observe(job, entity.id, fresh, known.last, counter());
        for (const text of fresh) known.texts.add(text);
        results.push({ entityName, addedObservations: fresh });
      }
      return results;
    });
  }

  /** Takes the relations of the entities along. What is not there is passed over. */
  async deleteEntities(names: readonly string[]): Promise<void> {
    const wanted = plainGiven("deleteEntities", "names", names, texts);
    return this.#changing("delete entities", async (job) => {
      const gone = new Set(wanted.map((name) => this.#clean(name)));
      for (const name of gone)
        for (const entity of this.#state.named(name)) {
          for (const remark of this.#state.remarksOf(entity.id)) await this.#forget(job, remark);
          await this.#forget(job, entity);
        }
      for (const record of this.#state.relations) {
        const { from, to } = relationOf(record);
        if (gone.has(from) || gone.has(to)) await this.#forget(job, record);
      }
    });
  }

  async deleteObservations(
    deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
  ): Promise<void> {
    const wanted = plainGiven("deleteObservations", "deletions", deletions, DELETIONS);
    return this.#changing("delete observations", async (job) => {
      for (const { entityName, observations } of wanted) {
        const [entity] = this.#state.named(this.#clean(entityName));
        const gone = new Set(observations.map((text) => this.#clean(text)));
        for (const remark of entity ? this.#state.remarksOf(entity.id) : [])
          if (gone.has(exactText(remark))) await this.#forget(job, remark);
      }
    });
  }

  async deleteRelations(relations: readonly Relation[]): Promise<void> {
    const wanted = plainGiven("deleteRelations", "relations", relations, RELATIONS);
    return this.#changing("delete relations", async (job) => {
      const gone = new Set(wanted.map((one) => keyOf(this.#cleanRelation(one))));
      for (const record of this.#state.relations)
        if (gone.has(keyOf(relationOf(record)))) await this.#forget(job, record);
    });
  }

  #reading<T>(look: () => T): Promise<T> {
    return this.#access.look(undefined, async ({ reader, tip }) => {
      await this.#followed.follow(reader, tip);
      return look();
    });
  }

  /** One commit, alone on the head that `run` sees; when that head moved meanwhile, it runs again on the new one. */
  async #changing<T>(message: string, change: (job: Job) => Promise<T>): Promise<T> {
    const { value } = await this.#access.commit({
      ...{ verb: "graph", options: { message }, alone: true },
      run: async (job) => {
        await this.#followed.follow(job.draft.reader, job.draft.tip);
        return change(job);
      },
    });
    return value;
  }

  async #observe(
    job: Job,
    entity: MemoryId,
    texts: readonly string[],
    after: string | undefined,
    count: (text: string) => number,
  ): Promise<string | undefined> {
    let position = after;
    for (const text of texts) {
      position = positionBetween(position, undefined);
      await this.#put(job, remarkMemory(entity, text, { id: remarkId(entity, text, count(text)), position }));
    }
    return position;
  }

  async #put(job: Job, memory: ImportedMemory): Promise<void> {
    const input = { ...memory, scope: this.#scope };
    const { verdict, reason, id } = await remember(job, input, "add", true);
    if (verdict === "rejected" || verdict === "quarantined")
      throw new PalimpsestError("REFUSED", reason ?? "The memory does not take this.");
    const entry = await job.draft.entry(this.#scope, id as MemoryId);
    if (entry) this.#followed.expect(entry.hash, entry.record);
  }

  async #forget(job: Job, { scope, id }: MemoryRecord): Promise<void> {
    const entry = await job.draft.entry(scope, id);
    if (entry) await forgetOrRefuse(job, entry);
  }

  /** What must not be kept is cut out of a name wherever it is said, so that it still finds what it named. */
  #clean(text: string): string {
    return cleanText(text, this.#access.context.rules.modes.document);
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
