import { resolve } from "node:path";
import { verifyProof } from "../../../core/merkle/proof.js";
import type { ConsistencyProof, Proof, Session } from "../../../session/index.js";
import { VERBS } from "../../../session/opening.js";
import type { Call, Command } from "../command.js";
import { usage } from "../fail.js";
import { flagsOf, valuesOf } from "../flags.js";
import { indent, type Line, line, type Paint } from "../line.js";
import { named, PART } from "../named.js";
import { withSession } from "../open.js";
import { safeJson } from "../safe.js";
import { plural, shortId, table } from "../show.js";

const { options: OPTIONS } = VERBS.prove;

export const command: Command = {
  name: "prove",
  summary: "prove that a memory is, or is not, there; or that the past is the one you know",
  args: [
    {
      name: "<id>",
      description:
        "its whole id as it is shown, or its topic; for a proof of absence any id; with --part 6 or more first or last characters; with --consistency the whole commit you kept",
    },
    {
      name: "[head]",
      description: "with --consistency the later commit or branch; default the present head",
    },
  ],
  options: [
    ...flagsOf(OPTIONS, "scope"),
    {
      flags: "--consistency",
      description:
        "prove that a head rests on a commit you kept; takes --scopes '*' --clearance confidential",
    },
    PART,
    { flags: "-o, --output <file>", description: "write the proof to a file; - is stdout" },
  ],
  at: true,
  examples: [
    "pal prove my-note -o proof.json",
    "pal prove my-note --at 2026-03-01 -o then.json",
    "pal --scopes '*' --clearance confidential prove my-note -o whole.json",
    "pal --scopes '*' --clearance confidential prove --consistency 9f3a1c2b4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8 -o past.json",
  ],
  async run(call) {
    const [id = "", head] = call.args;
    if (call.options.flag("consistency")) return proveConsistency(call, id, head);
    if (head !== undefined)
      throw usage("prove takes one id.", "Two heads are compared with --consistency <old> [new].");
    const { options, globals, out } = call;
    const how = {
      ...valuesOf(options, OPTIONS, "scope"),
      ...(globals.at !== undefined && { at: globals.at }),
    };
    const { proof, isKnown } = await withSession(call, "existing", async (session) => {
      const { id: meant, ...place } = await named(session, id, options, how);
      const proof = await session.prove(meant, { ...how, ...place });
      return { proof, isKnown: proof.present || (await wasThere(session, proof)) };
    });
    await write(call, proof, (file, paint) => proofLines(proof, file, paint));
    if (!isKnown)
      await out.complain([
        line`${out.talkPaint.yellow("!")} no memory with the id ${JSON.stringify(proof.id)} was ever seen here; a part of an id is 6 or more characters, given with --part`,
      ]);
    return 0;
  },
};

async function proveConsistency(call: Call, old: string, head: string | undefined): Promise<number> {
  const { options, globals } = call;
  if (options.has("scope"))
    throw usage("--scope names the scope of a memory.", "A proof of consistency is about all of the store.");
  if (head !== undefined && globals.at !== undefined)
    throw usage("Two heads were given.", "Say the later one once, as an argument or with --at.");
  const proof = await withSession(call, "existing", (session) =>
    session.proveConsistency(old, head ?? globals.at),
  );
  await write(call, proof, (file, paint) => consistencyLines(proof, file, paint));
  return 0;
}

async function write(
  { options, io, out }: Call,
  proof: Proof | ConsistencyProof,
  lines: (file: string | undefined, paint: Paint) => Line[],
): Promise<void> {
  const file = options.text("output");
  if (file !== undefined && file !== "-") {
    const { isMadeHere, putFile } = await import("../../../session/index.js");
    await putFile(resolve(io.cwd, file), `${safeJson(proof)}\n`, { over: isMadeHere("proof") });
  }
  if (file === "-") await out.value(proof);
  else await out.answer(proof, (paint) => lines(file, paint));
}

/** Absence is easily proven of an id that somebody mistyped. */
async function wasThere(session: Session, { id, scope }: Proof): Promise<boolean> {
  try {
    // A part of an id that came after the point that was asked about is no id.
    const { id: whole } = await session.prove(id, { scope });
    return whole === id && (await session.history(id, { scope, exact: true })).length > 0;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "NOT_FOUND" || code === "AMBIGUOUS") return false;
    // It came later and is hidden, or was erased: an id it is.
    if (code === "REFUSED" || code === "ERASED") return true;
    throw error;
  }
}

function proofLines(proof: Proof, file: string | undefined, paint: Paint): Line[] {
  const what = proof.present ? "is" : paint.bold("is not");
  // What is not there cannot be looked up by a part of its id.
  const name = proof.present ? shortId(proof.id) : proof.id;
  return [
    line`${paint.green("✓")} proof that ${paint.bold(name)} ${what} in ${proof.scope}`,
    ...table(
      [
        ["record", proof.record],
        ["root", proof.root],
        ["state", proof.state?.root],
        ["commit", proof.commit === undefined ? undefined : commitOf(proof)],
        ["size", plural(proof.path.length + (proof.state?.path.length ?? 0), "node")],
      ],
      paint,
    ).map((row) => indent(row)),
    file === undefined
      ? line`  Write it to a file with ${paint.bold("-o proof.json")} (or --json > proof.json); check it with ${paint.bold("pal verify-proof proof.json")}.`
      : line`  Written to ${file}; check it anywhere with ${paint.bold(line`pal verify-proof ${file}`)}.`,
    ...(proof.commit === undefined
      ? [
          line`  It ends at the root of the ${proof.state ? "state" : "scope"}; with ${paint.bold("--scopes '*' --clearance confidential")} it goes on to the commit that ${paint.bold("pal verify")} prints.`,
        ]
      : []),
  ];
}

/** The checker says the hash; the proof itself holds the text that it is taken over. */
function commitOf(proof: Proof): string | undefined {
  const verdict = verifyProof(proof);
  return verdict.ok ? verdict.commit : undefined;
}

function consistencyLines(
  { commits, old, new: head }: ConsistencyProof,
  file: string | undefined,
  paint: Paint,
): Line[] {
  return [
    line`${paint.green("✓")} proof that the head rests on the commit you kept`,
    ...table(
      [
        ["kept", old],
        ["head", head],
        ["size", plural(commits.length, "commit")],
      ],
      paint,
    ).map((row) => indent(row)),
    line`  ${file === undefined ? line`Write it to a file with ${paint.bold("-o proof.json")}` : line`Written to ${file}`}; check it anywhere with ${paint.bold(line`pal verify-proof ${file ?? "proof.json"} --since <kept> --root <head>`)}.`,
    line`  It shows who made each of these commits when, on which branch, and hashes; no text, scope or id.`,
  ];
}
