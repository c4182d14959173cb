/** A piece of a message and where it stands, so that evidence is always the very words. */
export interface Span {
  readonly text: string;
  readonly start: number;
}

/** Stands for words that are somebody else's: as long as they were, so that places stay right. */
const MASK = "\uFFFC";
export const isMasked = (text: string): boolean => text.includes(MASK);

const FOREIGN: readonly RegExp[] = [/```[\s\S]*?(?:```|$)/g, /^[ \t]*(?:>|\||\$ ).*$/gm, /https?:\/\/\S+/g];
const QUOTED =
  /"[^"\n]{2,600}"|“[^”\n]{2,600}”|„[^“”\n]{2,600}[“”]|«[^»\n]{2,600}»|「[^」\n]{2,600}」|『[^』\n]{2,600}』/g;
/** A title in quotation marks is a name: few words, each with a capital. */
const TITLE =
  /^.(?:\p{Lu}[\p{L}\p{N}'’:.&-]*|of|the|and|in|to|a|on|for|\d+)(?:\s(?:\p{Lu}[\p{L}\p{N}'’:.&-]*|of|the|and|in|to|a|on|for|\d+)){0,6}.$/u;

/** The message with everything quoted, pasted or programmed blanked out. */
export function ownWords(text: string): string {
  const blank = (found: string) => MASK.repeat(found.length);
  let own = text;
  for (const pattern of FOREIGN) own = own.replace(pattern, blank);
  return own.replace(QUOTED, (found) => (TITLE.test(found) ? found : blank(found)));
}

const SENTENCE = /[^.!?。！？…\n]+(?:[.:](?=\d)[^.!?。！？…\n]+|\.(?=\p{L})[^.!?。！？…\n]+)*[.!?。！？…]*/gu;

export function sentencesOf(text: string): Span[] {
  const found: Span[] = [];
  for (const match of text.matchAll(SENTENCE)) {
    const last = found.at(-1);
    // "Dr. Kay" and "e.g. tea" do not end a sentence.
    if (last && /(?:^|\s)(?:\p{Lu}|dr|mr|mrs|ms|st|e\.g|i\.e|etc|vs|approx|z\.b|bzw)\.$/iu.test(last.text))
      found[found.length - 1] = {
        text: text.slice(last.start, match.index + match[0].length),
        start: last.start,
      };
    else if (match[0].trim() !== "") found.push({ text: match[0], start: match.index });
  }
  return found;
}

const SUBJECT = `(?:i|i'm|i’m|i've|i’ve|i'd|i’d|i'll|i’ll|we|we're|we’re|we've|we’ve|my|our|he|she|they|it|it's|it’s|that's|this|you|your|there|ich|mein|meine|wir|yo|mi|je|j'|mon|ma)`;
const ASKS = `(?:can|could|would|will|do|does|did|is|are|should|what|how|which|when|where|why|who|please|any|let's|let|so can|book|send|tell|give|help|make|write|fix|add|show)`;
const BREAK = new RegExp(
  [
    String.raw`(?<!\s)\s*;\s*|:\s+(?=(?:i|i'm|i’m|my|we|our)\b)|(?<!\s)\s+[-–—]+\s+|[—–]|[，；、]`,
    String.raw`,?(?<!\s)\s+(?:and|but|so|because|though|although|while|whereas|plus|und|aber|weil|pero|mais|car)\s+(?=${SUBJECT}\b)`,
    String.raw`,?(?<!\s)\s+(?:but|so|aber|pero|mais)\s+`,
    String.raw`(?<!from now on|going forward|in future|in the future),\s+(?:and\s+)?(?=(?:${SUBJECT}|${ASKS})\b)`,
    String.raw`,?(?<!\s)\s+and\s+(?=(?:living|working|based) (?:in|at|as|for|near)\b)`,
    String.raw`,\s+(?:which|who|whom|where|since|as|especially|considering|given|even)\s+`,
    String.raw`,\s+(?:and\s+)?(?=\p{Lu}\p{Ll}+\s+\p{Ll}+s\s)`,
    String.raw`(?<!\s)\s+(?:y|e|et|und|en)\s+(?=(?:wohne|lebe|arbeite|komme|wohnt|arbeitet|woont|werkt|woon|werk|mora|moro|trabalho|lavora|lavoro|abito|vive|trabaja|vivo|trabajo|habite|travaille|vit|me|mi|je|j')\b)`,
  ].join("|"),
  "giu",
);

/** Main clauses of a sentence. What cannot stand alone ("which …") becomes a piece of its own and matches no rule. */
export function clausesOf({ text, start }: Span): Span[] {
  const found: Span[] = [];
  let from = 0;
  const push = (to: number) => {
    const piece = text.slice(from, to);
    const lead = piece.length - piece.trimStart().length;
    if (piece.trim() !== "") found.push({ text: piece.trim(), start: start + from + lead });
  };
  for (const match of text.matchAll(BREAK)) {
    push(match.index);
    from = match.index + match[0].length;
  }
  push(text.length);
  return found;
}
