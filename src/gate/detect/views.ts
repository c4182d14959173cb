import { asIs, type Copy, chained, folded, joined } from "./copies.js";
import { decoded, spelled, unescaped } from "./decodings.js";
import { type Survey, survey } from "./survey.js";

/** How often a text may have been written in another form. */
const LEVELS = 2;
/** A copy of the text, with what a walk over it told. */
export interface View extends Copy {
  readonly survey: Survey;
  /** Lines were put together: what stands side by side in it may not belong together. */
  readonly isJoined: boolean;
}

/** The text as it is read: without what cannot be seen. */
export const readable = (text: string): View => viewOf(folded(text) ?? asIs(text), false);

const viewOf = (copy: Copy, isJoined: boolean): View => ({
  text: copy.text,
  from: copy.from,
  to: copy.to,
  survey: survey(copy.text),
  isJoined,
});

/**
 * What else a text says: put together where it was cut, read where it was escaped, spelled out or encoded, and that again.
 * Every step looks for its form first, and gives at most as much text as it was given.
 */
export function viewsOf(plain: View): View[] {
  const views: View[] = [];
  let level = [plain];
  for (let at = 0; at < LEVELS && level.length > 0; at++) {
    level = level.flatMap(stepsFrom);
    views.push(...level);
  }
  return views;
}

function stepsFrom(view: View): View[] {
  const { text } = view;
  const steps: View[] = [];
  const take = (copy: Copy, isJoined: boolean) => {
    const step = chained(copy, view);
    const fold = folded(step.text);
    steps.push(viewOf(fold ? chained(fold, step) : step, isJoined));
  };
  const whole = text.includes("\n") && !view.isJoined ? joined(text) : undefined;
  if (whole) {
    take(whole, true);
    for (const copy of decoded(whole.text, survey(whole.text))) take(chained(copy, whole), false);
  }
  const escaped = unescaped(text);
  if (escaped) take(escaped, false);
  for (const copy of spelled(text, view.survey)) take(copy, false);
  for (const copy of decoded(text, view.survey)) take(copy, false);
  return steps;
}
