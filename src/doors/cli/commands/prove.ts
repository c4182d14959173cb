import { resolve } from "node:path";
import type { Proof, Session } from "../../../session/index.js";
import type { Command } from "../command.js";
import { indent, type Line, line, type Paint } from "../line.js";
import { withSession } from "../open.js";
import { given } from "../options.js";
import { safeJson } from "../safe.js";
import { plural, shortId, table } from "../show.js";

export const command: Command = {
  name: "prove",
  summary: "prove that a memory is, or is not, in its scope; with --scopes '*' in the whole state",
  args: [
    {
      name: "<id>",
      description:
        "its id, 6 or more of its first or last characters, or its topic; for a proof of absence any id",
    },
  ],
  options: [
    { flags: "--scope <scope>", description: "in this scope; default where it is found, else shared" },
    { flags: "-o, --output <file>", description: "write the proof to a file; - is stdout" },
  ],
  at: true,
  examples: [
    "pal prove 8f3a9c2e -o proof.json",
    "pal prove 8f3a9c2e --at 2026-03-01 -o then.json",
    "pal --scopes '*' prove 8f3a9c2e -o whole.json",
  ],
  async run(call) {
    const [id = ""] = call.args;
    const { options, globals, out, io } = call;
    const how = { ...given(options, "scope"), ...(globals.at !== undefined && { at: globals.at }) };
    const { proof, isKnown } = await withSession(call, "existing", async (session) => {
      const proof = await session.prove(id, how);
      return { proof, isKnown: proof.present || (await wasThere(session, proof)) };
    });
    const file = options.text("output");
    if (file !== undefined && file !== "-") {
      const { isMadeHere, putFile } = await import("../../../session/index.js");
      await putFile(resolve(io.cwd, file), `${safeJson(proof)}\n`, { over: isMadeHere("proof") });
    }
    if (file === "-") await out.value(proof);
    else await out.answer(proof, (paint) => proofLines(proof, file, paint));
    if (!isKnown)
      await out.complain([
        line`${out.talkPaint.yellow("!")} no memory with the id ${JSON.stringify(proof.id)} was ever seen here${proof.id.length < 6 ? "; a part of an id is 6 or more characters" : ""}`,
      ]);
    return 0;
  },
};

/** Absence is easily proven of an id that somebody mistyped. */
async function wasThere(session: Session, { id, scope }: Proof): Promise<boolean> {
  try {
    // A part of an id that came after the point that was asked about is no id.
    const { id: whole } = await session.prove(id, { scope });
    return whole === id && (await session.history(id, { scope })).length > 0;
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
        ["size", plural(proof.path.length + (proof.state?.path.length ?? 0), "node")],
      ],
      paint,
    ).map((row) => indent(row)),
    file === undefined
      ? line`  Write it to a file with ${paint.bold("-o proof.json")} (or --json > proof.json); check it with ${paint.bold("pal verify-proof proof.json")}.`
      : line`  Written to ${file}; check it anywhere with ${paint.bold(line`pal verify-proof ${file}`)}.`,
    ...(proof.state === undefined
      ? [
          line`  The root is that of the scope; ${paint.bold(line`pal --scopes '*' prove ${shortId(proof.id)}`)} goes on to the root that ${paint.bold("pal verify")} prints.`,
        ]
      : []),
  ];
}
