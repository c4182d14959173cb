import type { Check } from "../check.js";
import { refuse } from "../verdict.js";

/**
 * Notes that belong into a journal and are worthless tomorrow. A signal counts only where it is what the sentence says:
 * "Heartbeat received" is noise, "Heartbeat interval is 30 minutes" is a fact that uses the word.
 */
const LEAD = String.raw`^[\s\[({*_>#"'-]*(?:\d[\d:.T/-]*Z?[\s,:-]*)?`;
const END = String.raw`(?=\s*(?:$|[\])}.:;,!#→({"'\-–—…|]|\d|ok\b|tick\b|complete|done\b|finished|taken|sent\b|received|executed|written|at \d|of the [\p{L}\s]{1,20} (?:finished|complete|done)|this (?:cycle|tick|round|run|time|hour)|since (?:my |the )?last|for now|again))`;

const signal = (words: string, end = END): RegExp => new RegExp(`${LEAD}(?:${words})(?:${end})`, "iu");

const SIGNALS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["tick marker", signal("tick marker|tick(?=[\\s#]*\\d)")],
  ["runtime snapshot", signal("runtime snapshot")],
  ["check-in", signal("(?:(?:routine|hourly|daily|regular|periodic|scheduled|quick|agent) )?check-?in")],
  [
    "heartbeat",
    signal("(?:(?:sent|got|received) )?(?:a )?heartbeat|herzschlag|心跳(?=正常|ok)", `${END}|(?=正常)`),
  ],
  ["burst tick", signal("burst tick")],
  [
    "no changes",
    signal(
      "(?:git status[: ]+|there (?:were|are) |still )?no changes(?: detected| found)?|sin cambios|keine änderungen|aucun changement|无变化|没有变化",
      `${END}|(?=\\s(?:desde|seit|depuis))`,
    ),
  ],
  [
    "nothing to report",
    signal(
      "(?:there is |still )?nothing (?:new )?to report|nothing happened|nichts zu berichten|nada que informar|rien à signaler",
    ),
  ],
  ["status unchanged", signal("(?:\\p{L}+ )?status(?: is|:| remains)? unchanged")],
  ["routine scan", signal("routine scan")],
  ["ephemeral", signal("(?:this is )?ephemeral", String.raw`(?=\s*(?:$|[\])}.:;,!]))`)],
];

/** A text without accents that holds none of these words is none of the signals: making their patterns takes long. */
const PLAIN = /^[\0-\x7f]*$/;
const HINT =
  /tick|snapshot|check-?in|heartbeat|herzschlag|changes|cambios|changement|nothing|nichts|nada|unchanged|scan|ephemeral/i;

/** The signal a text consists of, if it is nothing but one. */
export function journalSignal(text: string): string | undefined {
  if (text.length > 240 || (PLAIN.test(text) && !HINT.test(text))) return undefined;
  return SIGNALS.find(([, pattern]) => pattern.test(text))?.[0];
}

export const journal: Check = {
  name: "journal",
  lanes: ["belief"],
  run: ({ text, tier }) => {
    if ((tier as string | undefined) === "log")
      return refuse(
        "JOURNAL",
        "journal",
        'Tier "log" is journal-only: such notes are not kept as memories.',
        "Write it to the journal, or choose tier register for something that stays true.",
      );
    const found = journalSignal(text);
    if (found === undefined) return undefined;
    return refuse(
      "JOURNAL",
      "journal",
      `The text is a journal-only signal (${found}): it will mean nothing tomorrow.`,
      "Leave it out; if it is a lasting fact, say it as a sentence about what is true.",
    );
  },
};
