/** Where the target of a link ends. Whatever opens before it ends there too, so that nothing is looked through twice. */
const STOP = /[\]\n]/g;
/** Room for links among a node's attributes, in characters. */
const ROOM = 8_000;

/** Targets of the links in Org texts that may lead to other notes, as they are written, each once. */
export function linksInOrg(...texts: readonly string[]): string[] {
  const found: string[] = [];
  for (const text of texts)
    for (let at = text.indexOf("[["); at >= 0; at = text.indexOf("[[", at)) {
      const stop = stopAfter(text, at + 2);
      if (stop === undefined) break;
      // `]]` ends it, or a description: `][…]]`.
      const end = text[stop + 1] === "[" ? text.indexOf("]", stop + 2) : stop;
      const isLink = text[stop] === "]" && stop > at + 2 && end >= 0 && text[end + 1] === "]";
      if (isLink) found.push(text.slice(at + 2, stop));
      at = isLink ? end + 2 : stop;
    }
  return found.length > 0 ? targets(found) : found;
}

/** Targets of `[[wiki links]]` in a text. */
export function wikiLinks(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf("[["); at >= 0; at = text.indexOf("[[", at)) {
    if (text[at + 2] === "|") {
      at += 2;
      continue;
    }
    const stop = stopAfter(text, at + 2);
    if (stop === undefined) break;
    const isLink = text[stop] === "]" && stop > at + 2 && text[stop + 1] === "]";
    if (isLink) found.push(text.slice(at + 2, stop).split("|", 1)[0] as string);
    at = isLink ? stop + 2 : stop;
  }
  return found;
}

function stopAfter(text: string, from: number): number | undefined {
  STOP.lastIndex = from;
  return STOP.exec(text)?.index;
}

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
