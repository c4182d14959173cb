// Texts by which the pattern checker `recheck` shows that a pattern of the sources takes more than linear time where nothing
// bounds what it reads: what stands before, what is repeated, what stands behind. Whether anything bounds it is what is measured.
const ATTACKS = [
  [[["", "="]], "\u0000="],
  [[["\t\t\t", "\t\t"]], "\u0000"],
  [[["", "\t"]], ""],
  [[["", " (from "]], "\n"],
  [[["", "\t\u2028"]], ""],
  [[["", "("]], "\n()"],
  [[["v-v0.0.0", "0"]], "0"],
  [[["", "(Did you mean )"]], ""],
  [[["0", "000"]], "A"],
  [[["", "\u0080"]], "\n"],
  [[["", "!"]], "\t!A"],
  [[["", "%"]], ""],
  [[["", " not t"]], "\n not   anymore"],
  [[["", " don't e"]], "\n don't r anymore"],
  [[["", " doesn't o"]], "\n doesn't m anymore"],
  [
    [
      ["r", " moved from s"],
      ["", " to s"],
    ],
    "\n",
  ],
  [[["", "\u300c\u201c\u300c"]], "\n"],
  [[["", "\t"]], "\u0000\t|"],
  [[["y", "\u73b0not d"]], "\n"],
  [[["\t\t", "\t"]], "\u0000\t\u0000"],
  [[["i", "\ta"]], ""],
  [
    [
      ["\t", "\t"],
      ["", "\t"],
    ],
    "",
  ],
  [[[" ", " a year"]], "\n"],
  [[["", "ENJOY\u0000"]], "\n"],
  [[["", "think><think>"]], "think>"],
  [[["", "<!--"]], ""],
  [[["\u00df", " what s"]], "\n"],
  [[["", " wie se"]], "s"],
  [[["Qui's \u00c0", "-"]], "qui's W"],
  [[["", "sepr"]], "\u0000"],
  [[["", "Av"]], ""],
  [[["", "\u0000"]], "\t\u0000\t"],
  [[["", "'"]], "\n'"],
  [[["\u70b9\u65f6\u949f", "\u63d0\u70b9\u949f\u65f6"]], "\n"],
  [[["h", "#hex#e"]], "\n"],
  [[["\u00bb", "\u201c\u00ab\u0000"]], "\n"],
  [[["", "go on\u0000"]], "\n"],
  [[["", "why "]], "!"],
  [[["", "who "]], "\n"],
  [[["", "prefer\u0000"]], "\n"],
  [[["", "saw\u0000"]], "\n"],
  [[["what does e", "-?"]], "\t"],
  [
    [
      ["", "v\u00e0 quellq"],
      ["u", "mpA"],
    ],
    "",
  ],
  [[["welchec", "welche "]], "\u0000"],
  [[["", "wo\u0000"]], "\n"],
  [[["was hat ", "l t d "]], "\u0000"],
  [[["", "ist\u0000"]], "\n"],
  [[["", "mach\u0000"]], ""],
  [
    [
      ["", "\u00f3\u00f3o\u0000"],
      ["\u00f3\u00f3o\u0000\u00f3", "\u00f3\u00f3"],
    ],
    "o\u0000\u00f3\u00f3j\u0000j\u0000",
  ],
  [[["", "TIMEOU"]], "\n"],
  [[["", "\t/**/\t/**/"]], "*"],
  [[["", '\\\\"\\']], "\r\"\"\"\n'''"],
  [[["[#", "]#"]], "[\n"],
  [[["", '\u0000\\"\\']], "-"],
  [[["", `<memory-${"0".repeat(32)} note="">\n`]], "</memory-"],
];

/** Each at a size. */
export function* attackTexts(size) {
  for (const [at, [parts, suffix]] of ATTACKS.entries()) {
    const fixed = parts.reduce((sum, [before]) => sum + before.length, suffix.length);
    const pumped = parts.reduce((sum, [, pump]) => sum + pump.length, 0);
    const times = Math.max(1, Math.floor((size - fixed) / pumped));
    const text = parts.map(([before, pump]) => before + pump.repeat(times)).join("") + suffix;
    yield { name: `attack ${at}: ${JSON.stringify(parts.map(([, pump]) => pump).join("…"))}`, text };
  }
}
