import * as z from "zod";
import { id } from "../fields.js";
import { tool } from "../tool.js";

export const prove = tool({
  name: "memory_prove",
  title: "Prove a memory",
  description:
    "A proof that a memory is, or is not, in the present state; `pal verify-proof` checks it without the store.",
  kind: "read",
  input: z.strictObject({ id }),
  output: z.object({ proof: z.string().describe("JSON"), present: z.boolean(), root: z.string() }),
  async run({ session }, { id: given }) {
    const proof = await session.prove(given);
    const { present, root } = proof;
    const name = present ? given : proof.id;
    return {
      data: { proof: JSON.stringify(proof), present, root },
      text: `${name} is ${present ? "" : "not "}in the state with the scope root ${root}.`,
    };
  },
});
