/** Nobody nests settings deeper. A reader of YAML calls itself for each level, and looks back at those above. */
const DEEPEST = 100;

/**
 * Does a YAML text nest deeper than anybody writes: in brackets, in signs on one line (`- - -`), or by its indents? Told by
 * one look over the text, without reading it; brackets within quotes count too.
 */
export function isDeepYaml(text: string): boolean {
  let brackets = 0;
  const indents: number[] = [];
  for (const line of text.split("\n")) {
    const indent = line.search(/[^ ]/);
    if (indent < 0) continue;
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    indents.push(indent);
    const signs = SIGNS.exec(line)?.[0].match(/[-?:]/g)?.length ?? 0;
    for (const char of line)
      if (char === "[" || char === "{") {
        if (++brackets > DEEPEST) return true;
      } else if ((char === "]" || char === "}") && brackets > 0) brackets--;
    if (indents.length + signs > DEEPEST) return true;
  }
  return false;
}

const SIGNS = /^ *(?:[-?:][ \t]+)+/;
