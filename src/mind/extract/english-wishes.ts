import { me, rule } from "./english-grammar.js";
import { LANGUAGES } from "./english-words.js";
import { inThirdPerson } from "./phrase.js";
import type { Found, Rule } from "./rule.js";

function wishOf(given: string): Found | undefined {
  const wish = given.replace(/(?<![.!])[.!]+$/, "");
  if (wish.split(/\s+/).length > 25) return undefined;
  const said = inThirdPerson(wish.charAt(0).toLowerCase() + wish.slice(1));
  return { subject: "me", predicate: "asks_to", object: said, confidence: 0.9, text: `{me} asks: ${said}.` };
}

/** Wishes that are meant to last, said to an assistant. */
export const WISHES: readonly Rule[] = [
  rule(
    `(?:[Pp]lease )?(?:[Aa]lways |[Ff]rom now on,? |[Ii]n (?:the )?future,? )+(?:please )?(?:answer|reply|respond|speak|talk|write)(?: (?:to|with) me| me)? (?:only )?in (?<x>${LANGUAGES})`,
    ({ x }) => me("preferred_language", x, 0.95),
  ),
  rule(
    `(?:[Pp]lease )?(?:answer|reply|respond|speak|talk)(?: to me| me)? (?:always|only) in (?<x>${LANGUAGES})`,
    ({ x }) => me("preferred_language", x, 0.95),
  ),
  rule(
    String.raw`(?:[Pp]lease )?(?<x>(?:(?:do not|don['’]t|never|always|only) )?(?:use|write|add|include|keep|make|give|put|call|mention|show|format) .*\b(?:in|of|for|with)? ?(?:your|all|the) (?:answers|replies|responses|messages|explanations)\b.*)`,
    ({ x = "" }) => wishOf(x),
  ),
  rule(
    "(?:[Pp]lease )?(?<x>(?:use|write|answer|reply|format|keep|give|show|avoid|include|skip|say) .+?),? (?:from now on|always|going forward|in (?:the )?future|every time)$",
    ({ x = "" }) => wishOf(`always ${x}`),
  ),
  rule(
    String.raw`(?:(?:[Ff]rom now on|[Gg]oing forward|[Ii]n (?:the )?future),? (?:please )?(?<y>\p{Ll}.+)|(?:[Pp]lease )?(?<x>(?:[Aa]lways|[Nn]ever) (?!give up|mind|say never|be )[\p{Ll}].+))`,
    ({ x, y }) => wishOf(x ?? y ?? ""),
  ),
].map((one) => ({ ...one, toAssistant: true }));
