const ORG_LINK = /\[\[([^\]\n]+)\](?:\[[^\]]*\])?\]/y;
const WIKI_LINK = /\[\[([^\]|\n]+)(?:\|[^\]\n]*)?\]\]/g;
/** Room for links among a node's attributes, in characters. */
const ROOM = 8_000;

/** Targets of the links in Org texts that may lead to other notes, as they are written, each once. */
export function linksInOrg(...texts: readonly string[]): string[] {
  const found: string[] = [];
  for (const text of texts)
    for (let at = text.indexOf("[["); at >= 0; at = text.indexOf("[[", at)) {
      ORG_LINK.lastIndex = at;
      const link = ORG_LINK.exec(text);
      if (link) found.push(link[1]!);
      at = link ? ORG_LINK.lastIndex : at + 1;
    }
  return found.length > 0 ? targets(found) : found;
}

/** Targets of `[[wiki links]]` in a text. */
export const wikiLinks = (text: string): string[] =>
  text.includes("[[") ? [...text.matchAll(WIKI_LINK)].map(([, target]) => target!) : [];

/** Links to the web and to mail lead out of the notes; they stay in the text and are no relations. */
const isOutside = (target: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(target) && !/^(?:id|file|attachment):/i.test(target);

export function targets(found: readonly string[]): string[] {
  let room = ROOM;
  return [...new Set(found.map((target) => target.trim()))].filter((target) => {
    if (target === "" || isOutside(target) || target.length > room) return false;
    room -= target.length;
    return true;
  });
}
