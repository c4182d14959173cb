import { isRandom } from "./plausible.js";
import type { Rule } from "./rule.js";

const B64 = "A-Za-z0-9+/";

/** A private key goes on to its footer, or to the end of what was given. */
function endOfArmour(text: string, start: number): number {
  const footer = text.indexOf("-----END", start);
  const close = footer < 0 ? -1 : text.indexOf("-----", footer + 8);
  return close < 0 ? text.length : close + 5;
}

const LINE = /[A-Za-z0-9+/]{1,16384}={0,2}/y;
const BREAK = /[ \t"',]{0,4}(?:\r?\n|(?:\\{1,2}r)?\\{1,2}n)[ \t"'>]{0,8}/y;
/** Nobody wraps at more; a longer line stands alone. */
const WIDEST = 80;
/** A body goes on line by line; the last may be shorter than those before. */
function endOfBody(text: string, start: number): number {
  let end = start;
  let width = 0;
  for (let at = start; ; ) {
    LINE.lastIndex = at;
    const line = LINE.exec(text)?.[0] ?? "";
    if (line === "" || (width > 0 && line.length > width)) return end;
    end = at + line.length;
    if (line.endsWith("=") || line.length < width || line.length > WIDEST) return end;
    width = line.length;
    BREAK.lastIndex = end;
    const gap = BREAK.exec(text)?.[0] ?? "";
    if (gap === "") return end;
    at = end + gap.length;
  }
}

/** `A` base64 characters, lines of them or one. */
const body = (start: string, length: number): RegExp =>
  new RegExp(`(?<![${B64}])${start}(?:[${B64}]|(?<=[${B64}]{30})(?:\\r?\\n|\\\\n)){${length}}`, "g");

/** What DER writes first in the private keys of RSA and DSA, in PKCS#8 and PKCS#12, and in those of curves; in base64. */
const DER: readonly (readonly [anchors: readonly string[], start: string, length: number])[] = [
  [["AIBA", "QIBA", "gIBA", "wIBA"], `MII[${B64}]{2}[AQgw]IBA[DAz]`, 100],
  [["MIG", "MIH"], `MI[GH][${B64}]AgEAM`, 60],
  [["MHcCAQEEI", "MIGkAgEBBD", "MIHcAgEBBEI"], "(?:MHcCAQEEI|MIGkAgEBBD|MIHcAgEBBEI)", 40],
  [["CAQAwBQYDK2V"], "M(?:C4|EY|Ec|FE|FM)CAQAwBQYDK2V", 40],
  [["hkiG9w0BBQ0"], `MII[${B64}]{8,24}hkiG9w0BBQ0`, 60],
];

/** Private keys by what they begin with: their header, or their first bytes where the header was left out. */
export const PRIVATE_KEY_RULES: readonly Rule[] = [
  {
    name: "private-key",
    kind: "secret",
    anchors: ["PRIVATE KEY"],
    // The words of the header are taken one by one, so that a row of capitals is read only once.
    pattern: /-----BEGIN (?:[A-Z0-9-]{2,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g,
    endOf: endOfArmour,
  },
  {
    name: "private-key",
    kind: "secret",
    anchors: ["PRIVATE KEY"],
    pattern: /---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----/g,
    endOf: (text, start) => {
      const footer = text.indexOf("---- END", start + 10);
      return footer < 0 ? text.length : Math.min(text.length, footer + 40);
    },
  },
  {
    name: "private-key",
    kind: "secret",
    // "-----BEGIN" in base64, at the three ways it can fall on its grid.
    anchors: ["LS0tLS1CRUdJTi", "0tLS0tQkVHSU4", "tLS0tLUJFR0lO"],
    longest: 50,
    pattern: /(?:LS0tLS1CRUdJTi|0tLS0tQkVHSU4|tLS0tLUJFR0lO)[A-Za-z0-9+/]{40,4000}/g,
    endOf: endOfBody,
  },
  {
    name: "private-key",
    kind: "secret",
    // "openssh-key-v1" in base64.
    anchors: ["b3BlbnNzaC1rZXktdj"],
    longest: 50,
    pattern: body("b3BlbnNzaC1rZXktdj", 40),
    endOf: endOfBody,
  },
  ...DER.map(
    ([anchors, start, length]): Rule => ({
      name: "private-key",
      kind: "secret",
      anchors,
      longest: 36,
      pattern: body(start, length),
      accepts: (value) => isRandom(value, 4),
      endOf: endOfBody,
    }),
  ),
  {
    name: "private-key",
    kind: "secret",
    anchors: ["Private-Lines: "],
    pattern: /Private-Lines: \d{1,3}\r?\n([A-Za-z0-9+/]{20,100})/g,
    endOf: endOfBody,
  },
  {
    name: "private-key",
    kind: "secret",
    anchors: ["\nlQ"],
    longest: 64,
    pattern: new RegExp(`(?<=\\n)lQ[${B64}]{2}B[FG][${B64}]{58}\\r?\\n[${B64}]{64}`, "g"),
    endOf: endOfBody,
  },
  {
    name: "private-key",
    kind: "secret",
    // OpenSSH alone writes lines of 70; pictures have more of them than any key.
    anchors: ["\n"],
    longest: 70,
    pattern: new RegExp(
      `(?<![^\\s"'>])[${B64}]{70}(?:\\r?\\n[ \\t>]{0,8}[${B64}]{70}){1,2000}(?![${B64}=])`,
      "g",
    ),
    accepts: (value, { index, input }) =>
      value.length < 60 * 72 &&
      isRandom(value, 4.5) &&
      !/PUBLIC KEY|CERTIFICATE|image|png|jpe?g|gif|pdf/i.test(input.slice(Math.max(0, index - 200), index)),
    endOf: endOfBody,
  },
];
