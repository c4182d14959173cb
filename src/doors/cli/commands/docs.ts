import type { Command } from "../command.js";

export const command: Command = {
  name: "docs",
  summary: "print the reference of all commands as Markdown",
  examples: ["pal docs > commands.md"],
  hidden: true,
  async run({ definitions, out, io }) {
    const { referencePage } = await import("../reference.js");
    const page = referencePage(await definitions());
    // Markdown of our own, with nothing in it that came from a store.
    if (out.json) await out.value({ markdown: page });
    else await io.stdout.write(page);
    return 0;
  },
};
