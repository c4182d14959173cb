import { IMAGE_MAGIC } from "./image.js";

/** What we write to files of people, each known by how it begins. */
export type MadeHere = keyof typeof HEADS;

const TIME = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

/** Of an export as JSON, JSON lines (what follows, or a memory with its fields in our order), Markdown or Org. */
const EXPORTS = [
  `\\{\n {2}"exported_at": "${TIME}",\n {2}"current_branch": `,
  `\\{"export":\\{"exported_at":"${TIME}","current_branch":`,
  String.raw`\{"id":"(?:[^"\\]|\\.)*","scope":"[^"]*","type":"[^"]*","text":"`,
  `# Memories\n\nExported ${TIME} from branch `,
  `#\\+TITLE: Memories\n#\\+DATE: ${TIME}\n`,
];

const HEADS = {
  image: new RegExp(`^${IMAGE_MAGIC}\n`),
  // The graph of the official memory server and a document are in forms of others: nobody can tell who wrote them.
  export: new RegExp(`^(?:${EXPORTS.join("|")})`),
  gcc: /^(?:# Roadmap\n\n[\s\S]*\n\n## Branches\n\n- |# (?:Milestones|Steps) of \S+\n(?:\n|$)|name: ".*"\npurpose: ".*"\npersona: ".*"\nstatus: ")/,
  proof: /^\{(?:"v":[12],"root":"[0-9a-f]{64}","scope":"|"v":1,"kind":"consistency","old":"[0-9a-f]{64}")/,
  "hand-over": /^\{\n {2}"format": "palimpsest-hand-over",\n {2}"v": 1,\n/,
} as const;

/** Does a file begin as what we would write in its place? Another program's file with the same name does not. */
export const isMadeHere =
  (kind: MadeHere) =>
  (head: string): boolean =>
    HEADS[kind].test(head);
