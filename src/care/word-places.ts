import { HEADS, TAGS } from "../core/ledger/index.js";
import type { WordPlace } from "./receipt.js";
import type { Found } from "./word-search.js";

/** A receipt is read by people: a word that everybody uses stands in more places than anybody looks at. */
const MOST_PLACES = 1_000;

/** Each place once, in an order that follows from what they are. */
export function placesIn(found: readonly Found[]): WordPlace[] {
  const places = new Map<string, WordPlace>();
  for (const one of found) {
    const place = placeOf(one);
    places.set(`${place.place}\n${place.name}`, place);
  }
  const sorted = [...places].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.slice(0, MOST_PLACES).map(([, place]) => place);
}

const HISTORY =
  "the history says it for good, because its hashes rest on it: `pal export` what is to stay and `pal import` it into a new store";

function placeOf(found: Found): WordPlace {
  if (found.in === "memory") return ofMemory(found);
  if (found.in === "note") return ofNote(found);
  if (found.in === "ref") return ofRef(found);
  if (found.in === "side") return ofSide(found);
  const field = found.path.at(-1) === "id" ? "author" : (found.path.findLast((key) => key !== "name") ?? "");
  return { place: `${FIELDS[field] ?? field} in the history`, name: found.value, how: HISTORY };
}

const FIELDS: { readonly [field: string]: string } = { refs: "name of a ref", branch: "name of a branch" };

function ofMemory({ record, path }: Found): WordPlace {
  const { scope = "", id = "" } = record ?? {};
  const field = path.join(".");
  return {
    place: `${field} of a memory, in some version`,
    name: `${id} (${scope})`,
    how: `\`pal erase ${id} --scope ${scope}\``,
  };
}

const ofNote = ({ path, source, word }: Found): WordPlace => ({
  place: `${path[0] === "meta" ? "data" : path[0] === "why" ? "reason" : path[0]} of a commit or an operation`,
  name: source.slice(0, 12),
  how: `\`pal erase --containing ${JSON.stringify(word.text)}\``,
});

function ofRef({ source, path }: Found): WordPlace {
  const isName = path[0] === "name";
  if (source.startsWith(TAGS) && isName) {
    const name = source.slice(TAGS.length);
    return { place: "name of a tag", name, how: `\`pal tag --delete ${name}\`, then what the history says` };
  }
  if (source.startsWith(HEADS) && isName) {
    const name = source.slice(HEADS.length);
    const how = `\`pal rename-branch ${name} <new-name>\`, then what the history says`;
    return { place: "name of a branch", name, how };
  }
  const field = path.slice(1).join(".");
  const how = CLEARED.has(field) ? "`pal erase --containing` it" : HISTORY;
  return { place: isName ? "name of a ref" : `${field} of a ref`, name: source, how };
}

/** What is said of a ref in words; the rest are names that others lead to. */
export const CLEARED: ReadonlySet<string> = new Set(["purpose", "persona", "label"]);

const ofSide = ({ source }: Found): WordPlace => ({
  place: "scratchpad or other note beside the memories",
  name: source,
  how: "`pal scratch clear` of its agent and session, or `pal erase --containing` it",
});
