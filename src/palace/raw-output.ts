/** What kind of raw output a text is, in words; undefined for what a person would say. */
export function rawOutput(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return KINDS.find(([, isIt]) => isIt(text.trim(), lines))?.[0];
}

type Test = (text: string, lines: readonly string[]) => boolean;

const KINDS: readonly (readonly [string, Test])[] = [
  ["a stack trace", (text, lines) => lines.some((line) => TRACE.test(line)) || PANIC.test(text)],
  ["a dump of JSON", (text) => isJson(text) || keys(text) >= 3],
  ["markup", (text) => /^<[!?a-z]/i.test(text) || (text.match(/<\/[a-z][\w-]*>/gi)?.length ?? 0) >= 3],
  ["a diff", (_, lines) => lines.some((line) => /^(?:@@ -\d+|diff --git |\+\+\+ |--- [ab]\/)/.test(line))],
  ["a log", (_, lines) => most(lines, LOG)],
  [
    "code",
    (text, lines) =>
      /^[^\S\r\n\u2028\u2029]*(?:```|~~~)/m.test(text) || (lines.length >= 2 && most(lines, CODE)),
  ],
  [
    "the output of a shell",
    (_, lines) => lines.some((line) => /^\s*(?:\$|PS [A-Z]:\\.*>|[\w.-]+@[\w.-]+:.*[$#]) /.test(line)),
  ],
  ["encoded data", (text) => /[A-Za-z0-9+/=_-]{80,}/.test(text)],
];

const TRACE =
  /^\s+at \S.*[(:][^\s(:]*:\d+|^\s*File ".*", line \d+|^Traceback \(most recent call last\)|^Caused by: [\w.]+|^Exception in thread|^goroutine \d+ \[|^thread '.*' panicked at|^\s*\d+: 0x[0-9a-f]+ - /;
const PANIC = /^panic: .*\n\n?goroutine/m;
const LOG =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d[.,\]]|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\]?[ :]|\d{1,3}(?:\.\d{1,3}){3} - |(?:level|time|ts)=\S+ )/;
const CODE =
  /[;{}]\s*$|^\s*(?:import |from \S+ import|export |const |let |var |def |class |function |return\b|#include|public |private |func |fn |package |using |if ?\(|for ?\(|while ?\(|else\b|try:|except|@\w+|SELECT .* FROM|INSERT INTO)/;

/** A single line that looks so, or half of several. */
const most = (lines: readonly string[], pattern: RegExp): boolean =>
  lines.length > 0 && lines.filter((line) => pattern.test(line)).length * 2 >= lines.length;

const keys = (text: string): number => text.match(/"[^"\n]{1,60}"\s*:/g)?.length ?? 0;

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return keys(text) >= 2;
  }
}
