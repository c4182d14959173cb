import type { ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { KnowledgeGraph } from "../../../session/index.js";
import { safeJson } from "../../cli/safe.js";

/** What a tool answers: the text that models read, and the same for programs. */
interface Told {
  readonly text: string;
  readonly data: Record<string, unknown>;
}

export interface GraphTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  run(graph: KnowledgeGraph, args: unknown): Promise<Told>;
}

// Names, titles, descriptions and schemas are those of the official server, word for word: they are its interface.
const entity = z.object({
  name: z.string().describe("The name of the entity"),
  entityType: z.string().describe("The type of the entity"),
  observations: z.array(z.string()).describe("An array of observation contents associated with the entity"),
});
const relation = z.object({
  from: z.string().describe("The name of the entity where the relation starts"),
  to: z.string().describe("The name of the entity where the relation ends"),
  relationType: z.string().describe("The type of the relation"),
});
const graphOut = z.object({ entities: z.array(entity), relations: z.array(relation) });
const doneOut = z.object({ success: z.boolean(), message: z.string() });

const hints = (
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
): ToolAnnotations => ({
  ...{ readOnlyHint, destructiveHint, idempotentHint, openWorldHint: false },
});
const CREATES = hints(false, false, false);
const DELETES = hints(false, true, true);
const READS = hints(true, false, true);

/** Hidden characters are escaped inside the JSON, so that it reads back to exactly the same and shows what is there. */
const json = (value: unknown): string => safeJson(value, 2);
const done = (message: string): Told => ({ text: message, data: { success: true, message } });
const whole = (graph: object): Told => ({ text: json(graph), data: { ...graph } });

function graphTool<In extends z.ZodObject>(
  spec: Omit<GraphTool, "input" | "run"> & {
    readonly input: In;
    run(graph: KnowledgeGraph, args: z.output<In>): Promise<Told>;
  },
): GraphTool {
  return spec as unknown as GraphTool;
}

export const GRAPH_TOOLS: readonly GraphTool[] = [
  graphTool({
    name: "create_entities",
    title: "Create Entities",
    description: "Create multiple new entities in the knowledge graph",
    input: z.object({ entities: z.array(entity) }),
    output: z.object({ entities: z.array(entity) }),
    annotations: CREATES,
    async run(graph, { entities }) {
      const created = await graph.createEntities(entities);
      return { text: json(created), data: { entities: created } };
    },
  }),
  graphTool({
    name: "create_relations",
    title: "Create Relations",
    description:
      "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice",
    input: z.object({ relations: z.array(relation) }),
    output: z.object({ relations: z.array(relation) }),
    annotations: CREATES,
    async run(graph, { relations }) {
      const created = await graph.createRelations(relations);
      return { text: json(created), data: { relations: created } };
    },
  }),
  graphTool({
    name: "add_observations",
    title: "Add Observations",
    description: "Add new observations to existing entities in the knowledge graph",
    input: z.object({
      observations: z.array(
        z.object({
          entityName: z.string().describe("The name of the entity to add the observations to"),
          contents: z.array(z.string()).describe("An array of observation contents to add"),
        }),
      ),
    }),
    output: z.object({
      results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
    }),
    annotations: CREATES,
    async run(graph, { observations }) {
      const results = await graph.addObservations(observations);
      return { text: json(results), data: { results } };
    },
  }),
  graphTool({
    name: "delete_entities",
    title: "Delete Entities",
    description: "Delete multiple entities and their associated relations from the knowledge graph",
    input: z.object({
      entityNames: z.array(z.string()).describe("An array of entity names to delete"),
    }),
    output: doneOut,
    annotations: DELETES,
    async run(graph, { entityNames }) {
      await graph.deleteEntities(entityNames);
      return done("Entities deleted successfully");
    },
  }),
  graphTool({
    name: "delete_observations",
    title: "Delete Observations",
    description: "Delete specific observations from entities in the knowledge graph",
    input: z.object({
      deletions: z.array(
        z.object({
          entityName: z.string().describe("The name of the entity containing the observations"),
          observations: z.array(z.string()).describe("An array of observations to delete"),
        }),
      ),
    }),
    output: doneOut,
    annotations: DELETES,
    async run(graph, { deletions }) {
      await graph.deleteObservations(deletions);
      return done("Observations deleted successfully");
    },
  }),
  graphTool({
    name: "delete_relations",
    title: "Delete Relations",
    description: "Delete multiple relations from the knowledge graph",
    input: z.object({ relations: z.array(relation).describe("An array of relations to delete") }),
    output: doneOut,
    annotations: DELETES,
    async run(graph, { relations }) {
      await graph.deleteRelations(relations);
      return done("Relations deleted successfully");
    },
  }),
  graphTool({
    name: "read_graph",
    title: "Read Graph",
    description: "Read the entire knowledge graph",
    input: z.object({}),
    output: graphOut,
    annotations: READS,
    run: async (graph) => whole(await graph.read()),
  }),
  graphTool({
    name: "search_nodes",
    title: "Search Nodes",
    description: "Search for nodes in the knowledge graph based on a query",
    input: z.object({
      query: z
        .string()
        .describe("The search query to match against entity names, types, and observation content"),
    }),
    output: graphOut,
    annotations: READS,
    run: async (graph, { query }) => whole(await graph.search(query)),
  }),
  graphTool({
    name: "open_nodes",
    title: "Open Nodes",
    description: "Open specific nodes in the knowledge graph by their names",
    input: z.object({ names: z.array(z.string()).describe("An array of entity names to retrieve") }),
    output: graphOut,
    annotations: READS,
    run: async (graph, { names }) => whole(await graph.open(names)),
  }),
];
