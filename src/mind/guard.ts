import { cleanText, type Modes } from "../gate/index.js";

/** Codes said in passing ("the door code is 8821") have no shape of their own; the words before them tell. */
const SPOKEN =
  /((?:\b(?:door|gate|alarm|entry|access|safe|lock|security|bank|sim|wi-?fi|verification|one-time)\s+)?\b(?:code|pin|passcode|combination|passphrase|password|kennwort|passwort|contraseña|mot de passe)\b(?:\s+(?:for|of|to)\s+(?:\S+\s+){1,4}?)?\s*(?:is|are|was|=|:|lautet|ist|es|est)\s+)(?!in\b|on\b|at\b|kept\b|stored\b|not\b|the\b|a\b)(["'“]?[\p{L}\p{N}][^\s,;]*)/giu;

export const REDACTED = "[redacted:";

/** A text without anything that must reach neither a model nor the store. */
export function guarded(text: string, modes: Modes): string {
  const clean = cleanText(text, modes);
  return clean.replace(SPOKEN, (_, lead: string, value: string) =>
    value.startsWith(REDACTED) ? lead + value : `${lead}${REDACTED}password]`,
  );
}
