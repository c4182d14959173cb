import {
  type BranchName,
  type Hash,
  MAIN,
  PalimpsestError,
  parseBranch,
  type Timestamp,
  timestamp,
} from "../../core/base/index.js";
import { headRef, TAGS, tagRef } from "../../core/ledger/index.js";
import type { Context, RefPlan, Refs } from "../../repo/index.js";
import { parseNewName, tipAt } from "../../repo/index.js";

/** A name for a commit that never moves. */
export interface Tag {
  readonly name: BranchName;
  readonly commit: Hash;
  readonly time?: Timestamp;
  readonly by?: string;
}

export async function tags(names: Refs): Promise<Tag[]> {
  return [...(await names.refs(TAGS))].map(([name, { target, meta }]) => ({
    name: name.slice(TAGS.length) as BranchName,
    commit: target,
    ...(typeof meta?.time === "string" && { time: meta.time as Timestamp }),
    ...(typeof meta?.by === "string" && { by: meta.by }),
  }));
}

export async function tag(context: Context, tagName: string, at: string | undefined): Promise<RefPlan<Tag>> {
  const { engine } = context;
  const name = parseNewName(tagName);
  if (await engine.storage.ref(tagRef(name)))
    throw new PalimpsestError("NAME_TAKEN", `The tag ${name} exists already.`);
  // Both are addresses of states: one name must not mean two.
  if (name === MAIN || (await engine.storage.ref(headRef(name))))
    throw new PalimpsestError("NAME_TAKEN", `${name} is the name of a branch.`);
  const { hash } = at === undefined ? await engine.head(context.branch) : await tipAt(context, at);
  const meta = { time: timestamp(engine.clock()), by: context.author.id };
  return {
    moves: [{ name: tagRef(name), expect: null, next: { target: hash, meta } }],
    value: { name, commit: hash, ...meta },
  };
}

export async function deleteTag(context: Context, tagName: string): Promise<RefPlan<Tag>> {
  const { engine } = context;
  const name = parseBranch(tagName);
  const ref = await engine.storage.ref(tagRef(name));
  if (!ref) throw new PalimpsestError("NOT_FOUND", `There is no tag ${name}.`, { hint: "See `pal tags`." });
  const { assertMayLose } = await import("../../memories/rights.js");
  await assertMayLose(context, tagRef(name), ref.target, `The tag ${name}`);
  return {
    moves: [{ name: tagRef(name), expect: ref.target, next: null }],
    value: { name, commit: ref.target },
  };
}
