import { type Json, type JsonObject, PalimpsestError } from "../../core/base/index.js";
import { byCodeUnit, canonicalRecord, withField } from "../../core/ledger/index.js";
import { checkShape, type Verdict } from "../../gate/index.js";
import { facet, Scene, select } from "../../index/index.js";
import {
  admit,
  changedRecord,
  forget,
  gather,
  memoriesOf,
  refused,
  topicTaken,
} from "../../memories/index.js";
import { type At, type Job, requireEntry } from "../../repo/index.js";
import { contestedTerms, DELETION } from "../merging.js";
import type { Conflict } from "./merge.js";

/** Every contested field the session sees, with who says what. */
export async function conflicts({ context, reader, tip, now }: At): Promise<Conflict[]> {
  const { views, branch, sight } = context;
  const time = Date.parse(now);
  const gathered = await views.use(branch, tip, (view) =>
    gather(view, select(new Scene(view, sight, time), [facet.CONTESTED]), context, time),
  );
  const found = (await memoriesOf(reader, gathered)).flatMap((memory) =>
    Object.keys(memory.contested ?? {}).map((field) => ({
      id: memory.id,
      scope: memory.scope,
      field,
      terms: contestedTerms(memory, field, memory),
    })),
  );
  return found.sort(
    (a, b) => byCodeUnit(a.scope, b.scope) || byCodeUnit(a.id, b.id) || byCodeUnit(a.field, b.field),
  );
}

/** What to do with a contested field: take one of its terms (1 is the first listed), or write a value. */
export type Resolution = { readonly take: number } | { readonly value: Json };

/** Settles one contested field, as an ordinary change. */
export async function resolve(
  job: Job,
  id: string,
  field: string,
  resolution: Resolution,
  scope?: string,
): Promise<Verdict> {
  const { context, draft } = job;
  const entry = await requireEntry(job, id, scope);
  const { record } = entry;
  const isTake = typeof resolution === "object" && resolution !== null && "take" in resolution;
  if (!isTake && (resolution?.value === undefined || resolution.value === null))
    throw new PalimpsestError("INVALID_VALUE", "Say which term to take, or which value to write.", {
      hint: "Give { take: 1 } or { value: … }; `--take <n>` or `--value <v>`.",
    });
  if (!record.contested?.[field])
    throw new PalimpsestError(
      "NOT_FOUND",
      `The field ${JSON.stringify(field)} of this memory is not contested.`,
      {
        hint: "See `pal conflicts` for what is.",
      },
    );
  const terms = contestedTerms(record, field, entry);
  const taken = "take" in resolution ? terms[resolution.take - 1] : undefined;
  if ("take" in resolution && !taken)
    throw new PalimpsestError("INVALID_VALUE", `There is no term ${resolution.take}.`, {
      hint: `The terms are numbered 1 to ${terms.length}; see \`pal conflicts\`.`,
    });
  if (taken?.deleted) {
    return forget(job, record.id, { scope: record.scope });
  }
  const { [field]: _, ...contested } = record.contested;
  const value = "take" in resolution ? taken?.value : resolution.value;
  if ("value" in resolution)
    checkShape({ ...changeOf(field, resolution.value), type: record.type }, { change: true });
  if (field === "topic" && typeof value === "string") {
    const holder = await draft.topicHolder(record.scope, value);
    if (holder && holder.record.id !== record.id)
      return refused(draft, topicTaken(record.scope, value), record.scope, record.id);
  }
  const settled = field === DELETION ? record : withField(record, field, value);
  const next = await changedRecord(
    context,
    canonicalRecord({ ...settled, contested }),
    {},
    draft.now,
    draft.reader,
  );
  if (field === "text" || field === "type") checkShape({ text: next.text, type: next.type }, { read: true });
  return admit(job, next, "modify", entry, false);
}

/** A value for a field as a caller would say it in a change, so that it is checked like one. */
function changeOf(field: string, value: Json): JsonObject {
  if (field.startsWith("attributes.")) return { attributes: { [field.slice("attributes.".length)]: value } };
  if (field === DELETION)
    throw new PalimpsestError("INVALID_VALUE", "Against a deletion there is nothing to write.", {
      hint: "Take the deletion or what is there: --take <n>.",
    });
  return field === "place" || field === "life" ? (value as JsonObject) : { [field]: value };
}
