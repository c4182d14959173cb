import { PalimpsestError, type Session } from "../../session/index.js";

interface Slot {
  readonly subject?: string | undefined;
  readonly predicate?: string | undefined;
}

type Triple = { readonly subject: string; readonly predicate: string; readonly object: string };

/** Which memory is meant: by its id or topic, or as the documents name it, by subject and predicate. */
export async function meantBy(
  session: Session,
  id: string | undefined,
  { subject, predicate }: Slot,
): Promise<{ readonly id: string; readonly triple?: Triple }> {
  if (id !== undefined) {
    const triple = (await session.get(id).catch(() => undefined))?.triple;
    return { id, ...(triple && { triple }) };
  }
  if (subject === undefined || predicate === undefined)
    throw new PalimpsestError("INVALID_FIELD", "Which memory is meant was not given.", {
      hint: "Give its id or topic; memory_search finds it.",
      data: { isSaid: true },
    });
  const { hits } = await session.search(`subject:"${subject.replaceAll(/["\n]/g, " ")}"`, { limit: 50 });
  const found = await Promise.all(hits.map(({ id: one, scope }) => session.get(one, { scope })));
  const same = found.filter((one) => one?.triple && keyOf(one.triple.predicate) === keyOf(predicate));
  const [one, ...others] = same;
  if (one?.triple && others.length === 0) return { id: one.id, triple: one.triple };
  throw new PalimpsestError(
    one ? "AMBIGUOUS" : "NOT_FOUND",
    one ? "Several memories say this of that subject." : "No memory has this subject and predicate.",
    { hint: "Find the id with memory_search.", data: { candidates: same.map((each) => each?.id) } },
  );
}

const keyOf = (predicate: string): string =>
  predicate
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
