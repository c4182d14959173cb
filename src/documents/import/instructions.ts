import { derivedId } from "../derived-id.js";
import { fileName } from "../source.js";
import type { Import, ImportedMemory } from "./item.js";
import { piecesOf } from "./item.js";

const LONGEST_FACT = 1_200;

/**
 * The files in which agents keep their instructions (CLAUDE.md, AGENTS.md, MEMORY.md): each point of a list is a
 * fact under the headings above it, other text of a section is a note.
 */
export function importInstructions(text: string, path: string): Import {
  const name = fileName(path);
  const seen = new Map<string, number>();
  const memories = sectionsOf(text).flatMap(({ heading, points, prose }) => {
    const made = (type: string, said: string): ImportedMemory => {
      const key = `${type}\n${heading}\n${said}`;
      const occurrence = seen.get(key) ?? 0;
      seen.set(key, occurrence + 1);
      return {
        id: derivedId(`instructions/${name}`, type, JSON.stringify([heading, said]), occurrence),
        type,
        text: said,
        ...(heading !== "" && { category: heading.slice(0, 128) }),
        attributes: { imported: { from: name } },
        uri: path.slice(0, 2_000),
      };
    };
    return [
      ...piecesOf(prose.trim()).map((piece) => made("note", piece.trim())),
      ...points.map((point) => made(point.length > LONGEST_FACT ? "note" : "fact", point)),
    ];
  });
  return { memories, forgotten: [], problems: [] };
}

interface Section {
  readonly heading: string;
  readonly points: string[];
  prose: string;
}

const HEADING = /^ {0,3}(#{1,6})\s+(?!\s)(.+)$/;
const POINT = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?(?!\s)(.+)$/;

function sectionsOf(text: string): Section[] {
  const trail: string[] = [];
  let section: Section = { heading: "", points: [], prose: "" };
  const sections = [section];
  let fence: string | undefined;
  let isPoint = false;
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1];
    const isFence = fence !== undefined || mark !== undefined;
    if (mark !== undefined && (fence === undefined || fence === mark))
      fence = fence === undefined ? mark : undefined;
    const [, level, title] = (!isFence && HEADING.exec(line)) || [];
    const point = isFence ? undefined : POINT.exec(line)?.[1];
    if (level !== undefined && title !== undefined) {
      const said = title.replace(/(?<!#)#+$/, "").trimEnd();
      trail.splice(level.length - 1, trail.length, said);
      section = { heading: trail.filter(Boolean).join(" / "), points: [], prose: "" };
      sections.push(section);
    } else if (point !== undefined) section.points.push(point.trim());
    // A line that is indented below a point goes on with it.
    else if (isPoint && !isFence && /^\s{2,}\S/.test(line))
      section.points.push(`${section.points.pop()} ${line.trim()}`);
    else section.prose += `${line}\n`;
    isPoint = point !== undefined || (isPoint && !isFence && /^\s{2,}\S/.test(line));
  }
  return sections;
}
