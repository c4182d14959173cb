import {
  type ConsistencyVerdict,
  type ExpectedRoot,
  MAX_PROOF_BYTES,
  type Proof,
  type ProofVerdict,
  readProof,
  verifyConsistency,
  verifyProof,
} from "../../../core/merkle/proof.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { boundedBytes } from "../input-text.js";
import { type Line, line, type Paint } from "../line.js";
import type { Options } from "../options.js";
import { plural, shortId } from "../show.js";

/** Needs no store: whoever has the proof and what was kept can check it. */
export const command: Command = {
  name: "verify-proof",
  summary: "check a proof, without any store",
  args: [{ name: "<file>", description: "a proof as written by `pal prove`; - reads stdin" }],
  options: [
    {
      flags: "--root <hash>",
      description:
        "what you kept, whole: a commit, or the root of a state or scope; of a proof of consistency the later head",
    },
    {
      flags: "--since <commit>",
      description: "of a proof of consistency: the whole commit you kept from before",
    },
    {
      flags: "--kind <kind>",
      description: "what --root is of; needed for a proof of absence under a root",
      choices: ["scope", "state", "commit"],
    },
    { flags: "--scope <scope>", description: "the scope it has to be about, kept with the root of a scope" },
  ],
  examples: [
    "pal verify-proof proof.json",
    "pal verify-proof past.json --since 9f3a1c2b4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8",
  ],
  async run(call) {
    const { args, options, io } = call;
    const root = wholeHash(options, "root");
    const since = wholeHash(options, "since");
    const read = readProof(await boundedBytes(io, args[0] ?? "", MAX_PROOF_BYTES));
    if (!read.ok) return tell(call, read, () => []);
    const isConsistency = (read.proof as { kind?: unknown } | null)?.kind === "consistency";
    if (!isConsistency && since !== undefined)
      throw usage("--since is for a proof of consistency.", "Give what you kept of this one with --root.");
    if (isConsistency && (options.has("kind") || options.has("scope")))
      throw usage(
        "A proof of consistency has neither --kind nor --scope.",
        "Give the older commit with --since and the later one with --root.",
      );
    if (isConsistency) {
      const expect = { ...(since && { old: since }), ...(root && { new: root }) };
      const verdict = verifyConsistency(read.proof, expect);
      return tell(call, verdict, (paint) => (verdict.ok ? headLines(verdict, expect, paint) : []));
    }
    const kind = options.text("kind") as ExpectedRoot["kind"];
    // What was asked for is demanded, also where a variable of a script was empty.
    const scope = options.text("scope");
    const expect = { ...(root && { root }), ...(kind && { kind }), ...(scope !== undefined && { scope }) };
    const verdict = verifyProof(read.proof, expect);
    const hint = verdict.ok ? undefined : otherRoot(read.proof, expect);
    return tell(call, verdict, (paint) => (verdict.ok ? memoryLines(verdict, paint) : []), hint);
  },
};

async function tell(
  { out }: Call,
  verdict: ProofVerdict | ConsistencyVerdict,
  lines: (paint: Paint) => Line[],
  hint?: readonly string[],
): Promise<number> {
  await out.answer({ ...verdict, ...(hint && { hint: hint.join(" ") }) }, lines);
  if (!verdict.ok && !out.json)
    await out.complain([
      line`${out.talkPaint.red("✗")} not proven: ${verdict.reason}`,
      ...(hint ?? []).map((text) => line`  ${text}`),
    ]);
  return verdict.ok ? 0 : 1;
}

/** Says what hangs on what was kept, and nothing else that the proof may say. */
function memoryLines(verdict: ProofVerdict & { ok: true }, paint: Paint): Line[] {
  const { anchor, commit, id, kept, present, root, scope, state } = verdict;
  const of = anchor === "commit" ? "commit" : anchor === "state" ? "root of the state" : "root";
  const where = scope === undefined ? line`under the ${of}` : line`in ${scope}, under the ${of}`;
  return [
    line`${paint.green("✓")} ${paint.bold(present ? shortId(id) : id)} ${present ? "is" : paint.bold("is not")} ${where}`,
    line`  ${commit ?? state ?? root}${kept ? ", the one you kept" : ""}`,
    ...(scope === undefined
      ? [
          line`  ${paint.dim("Of which scope this root is, the proof does not show: --scope says it, if you kept that with the root.")}`,
        ]
      : []),
    ...(kept
      ? []
      : [
          line`  ${paint.dim(`A proof is worth what its ${of} is worth: compare it with one you kept (--root).`)}`,
        ]),
  ];
}

function headLines(
  verdict: ConsistencyVerdict & { ok: true },
  expect: { readonly old?: string; readonly new?: string },
  paint: Paint,
): Line[] {
  const { old, new: head, steps } = verdict;
  const missing = [...(expect.old ? [] : ["--since"]), ...(expect.new ? [] : ["--root"])].join(" and ");
  return [
    line`${paint.green("✓")} ${head}${expect.new ? ", the head you gave," : ""}`,
    line`  rests on ${old}${expect.old ? ", the commit you kept" : ""}: ${plural(steps, "commit")} later, nothing before it was changed`,
    ...(verdict.kept
      ? []
      : [
          line`  ${paint.dim(`A head that you did not get from elsewhere anybody can invent: compare it (${missing}).`)}`,
        ]),
  ];
}

/** Of a proof that holds but is about another root: which one, and how a proof up to the one that was kept is made. */
function otherRoot(proof: unknown, { root, kind }: ExpectedRoot): string[] | undefined {
  const alone = verifyProof(proof);
  // Of an absence the kind of the root has to be said first.
  if (root === undefined || !alone.ok || (!alone.present && kind === undefined)) return undefined;
  const { id } = proof as Proof;
  const whole = `\`pal --scopes '*' --clearance confidential prove ${shortId(id)}\``;
  const { anchor, commit, scope, state } = alone;
  const ofScope = `the root of the scope${scope === undefined ? "" : ` ${scope}`}`;
  if (anchor === "scope")
    return [
      `It is about ${ofScope}: ${alone.root}.`,
      `\`pal verify\` prints a commit: ${whole} makes a proof up to that one, with --at <commit> up to an earlier one.`,
    ];
  return [
    `It is about ${commit === undefined ? "" : `the commit ${commit}, `}the state ${state}, and in it ${ofScope}: ${alone.root}.`,
    `${whole.slice(0, -1)} --at <commit>\` makes a proof of another commit.`,
  ];
}

/** The beginning of a hash could be met by trying; what was kept is compared whole. */
function wholeHash(options: Options, name: "root" | "since"): string | undefined {
  const hash = options.text(name);
  if (hash === undefined || /^[0-9a-f]{64}$/.test(hash)) return hash;
  throw usage(
    `--${name} must be a whole hash.`,
    "Give all 64 hexadecimal digits: the beginning of a hash can be met by trying.",
  );
}
