import * as z from "zod";
import { counted } from "../telling.js";
import { tool } from "../tool.js";

export const verify = tool({
  name: "memory_verify",
  title: "Verify the store",
  description: "Is the whole store undamaged? Re-hashes everything; takes long on a large store.",
  kind: "read",
  input: z.strictObject({}),
  // Counts over the whole store would tell of scopes that this session does not see.
  output: z.object({
    ok: z.boolean(),
    root: z.string(),
    problems: z.array(z.object({ problem: z.string(), severity: z.string() })),
  }),
  async run({ store }, _args, call) {
    const report = await store.verify({
      onProgress: (done, total) => {
        call.signal.throwIfAborted();
        void call.progress(done, total);
      },
    });
    const problems = report.problems.slice(0, 50).map(({ problem, severity }) => ({ problem, severity }));
    const text = report.ok
      ? `Everything is whole. Root ${report.root}.`
      : `Damage: ${counted(report.problems.length, "problem")}. Tell the user to run \`pal verify\`.`;
    return { data: { ok: report.ok, root: report.root, problems }, text };
  },
});
