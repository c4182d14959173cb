import { type ExpectedRoot, type Proof, verifyProof } from "../../../merkle/proof.js";
import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { fileOrStdin } from "../input-text.js";
import { line } from "../line.js";
import type { Options } from "../options.js";
import { shortId } from "../show.js";

/** Needs no store: whoever has the proof and a root can check it. */
export const command: Command = {
  name: "verify-proof",
  summary: "check a proof, without any store",
  args: [{ name: "<file>", description: "a proof as written by `pal prove`; - reads stdin" }],
  options: [
    {
      flags: "--root <hash>",
      description:
        "a root you kept, of the scope or of the whole state: the proof must be about exactly this one",
    },
    {
      flags: "--kind <kind>",
      description: "what --root is of; needed for a proof of absence",
      choices: ["scope", "state"],
    },
  ],
  examples: ["pal verify-proof proof.json"],
  async run({ args, options, io, out }) {
    const expect = expectedOf(options);
    const proof = parsed(await fileOrStdin(io, args[0] ?? ""));
    const verdict = verifyProof(proof, expect);
    const about = verdict.ok ? (proof as { id: string; scope: string }) : undefined;
    const hint = verdict.ok ? undefined : otherRoot(proof, expect);
    const more = {
      ...(about && { scope: about.scope, id: about.id }),
      ...(hint && { hint: hint.join(" ") }),
    };
    await out.answer({ ...verdict, ...more }, (paint) =>
      verdict.ok && about
        ? [
            line`${paint.green("✓")} ${paint.bold(verdict.present ? shortId(about.id) : about.id)} ${verdict.present ? "is" : paint.bold("is not")} in ${about.scope}, under the root`,
            line`  ${verdict.state ?? verdict.root}${expect.root === undefined ? "" : ", the one you kept"}`,
            ...(expect.root === undefined
              ? [
                  line`  ${paint.dim("A proof is worth what its root is worth: compare it with one you kept (--root).")}`,
                ]
              : []),
          ]
        : [],
    );
    if (!verdict.ok && !out.json)
      await out.complain([
        line`${out.talkPaint.red("✗")} not proven: ${verdict.reason}`,
        ...(hint ?? []).map((text) => line`  ${text}`),
      ]);
    return verdict.ok ? 0 : 1;
  },
};

/** Of a proof that holds but is about another root: which one, and how a proof up to the one that was kept is made. */
function otherRoot(proof: unknown, { root, kind }: ExpectedRoot): string[] | undefined {
  const alone = verifyProof(proof);
  // Of an absence the kind of the root has to be said first.
  if (root === undefined || !alone.ok || (!alone.present && kind === undefined)) return undefined;
  const { id, scope } = proof as Proof;
  return alone.state === undefined
    ? [
        `It is about the root of the scope ${scope}: ${alone.root}.`,
        `\`pal verify\` prints the root of the whole state: \`pal --scopes '*' prove ${shortId(id)}\` makes a proof up to that one, with --at <commit> of an earlier state.`,
      ]
    : [
        `It is about the state ${alone.state}, and in it the root of the scope ${scope}: ${alone.root}.`,
        `\`pal --scopes '*' prove ${shortId(id)} --at <commit>\` makes a proof of another state.`,
      ];
}

function expectedOf(options: Options): ExpectedRoot {
  const root = options.text("root");
  const kind = options.text("kind") as ExpectedRoot["kind"];
  if (root === undefined) return {};
  // The beginning of a hash could be met by trying; a root is compared whole.
  if (!/^[0-9a-f]{64}$/.test(root))
    throw usage("--root must be a whole hash.", "Give all 64 hexadecimal digits.");
  return { root, ...(kind && { kind }) };
}

/** What is not JSON is no proof; the check says so. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
