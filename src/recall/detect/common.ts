import { cues } from "./cue.js";

/** Letters, a dash and digits name a ticket, unless they name a standard. */
const STANDARD =
  "UTF|ISO|RFC|SHA|CVE|GPT|AES|MD|HTTP|IEEE|ES|PEP|WCAG|COVID|MP|TLS|SSL|EN|DIN|USB|RS|CRC|IPV|X";
const FILE =
  "(?:[\\w.-]{1,60}\\/){1,8}[\\w.-]{1,60}|\\b[\\w-]{1,60}\\.(?:ts|tsx|js|mjs|py|md|org|json|jsonl|ya?ml|toml|rs|go|java|c|h|cpp|sql|sh|txt|css|html|lock|cfg|ini|rb|php|csv)\\b";
const NUMBER = /\d/;
const ISSUE =
  /(?:\b(?:issues?|bugs?|tickets?|prs?|mrs?|pull requests?|merge requests?|pull|tareas?|aufgabe|incidencia|problème|工单|问题)\s{0,2}(?:no\.?|nr\.?|number|n°|número|nummer)?\s{0,2}#?\d{1,6}|(?<![\w&/])#\d{1,6}\b(?![0-9a-f]))/u;

/** Signs that do not depend on the language. */
export const COMMON = cues(() => [
  ["issue", 1, "", { first: NUMBER, says: ISSUE, asked: true, layer: "L3" }],
  // Whoever does not ask is about to do something with it.
  ["an issue", 0.5, "", { first: NUMBER, says: ISSUE, told: true, layer: "L3" }],
  [
    "ticket",
    1,
    "",
    {
      first: /-\d/,
      says: new RegExp(`\\b(?!(?:${STANDARD})-)[A-Z]{2,10}-\\d{1,6}\\b`),
      cased: true,
      layer: "L3",
    },
  ],
  [
    "file",
    0.5,
    "",
    {
      first: /[\w-][./]\w/,
      says: new RegExp(`(?<!\\b(?:an?|example|eine?[rsmn]?|une?|una) {0,2}(?:of an? )?)(?:${FILE})`, "u"),
      cased: true,
      asked: true,
      layer: "L3",
    },
  ],
  [
    "colour",
    -1,
    "color;colour;css;hex",
    {
      says: /#(?:[0-9a-f]{3}|[0-9a-f]{6})\b.{0,40}\b(?:colou?r|css|hex)\b|\b(?:colou?r|css|hex)\b.{0,40}#(?:[0-9a-f]{3}|[0-9a-f]{6})\b/,
    },
  ],
  [
    "sum",
    -1,
    "",
    {
      first: NUMBER,
      says: /^\W{0,3}\w{2,10}(?: \w{2,4})? \d+\s?(?:[-+*/x×]|times|plus|minus|mal|fois|por)\s?\d/,
    },
  ],
]);
