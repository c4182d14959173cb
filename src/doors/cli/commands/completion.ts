import type { Command } from "../command.js";
import { usage } from "../fail.js";

export const command: Command = {
  name: "completion",
  summary: "print what makes a shell complete commands, options and names of branches",
  args: [{ name: "<shell>", description: "bash, zsh or fish" }],
  examples: [
    "pal completion bash > ~/.local/share/bash-completion/completions/pal",
    "pal completion zsh > ~/.zfunc/_pal",
    "pal completion fish > ~/.config/fish/completions/pal.fish",
  ],
  async run({ args, out, io }) {
    const [shell = ""] = args;
    const { COMPLETION_SCRIPTS } = await import("../completions.js");
    const script = Object.hasOwn(COMPLETION_SCRIPTS, shell) ? COMPLETION_SCRIPTS[shell] : undefined;
    if (script === undefined)
      throw usage(`There is no completion for ${JSON.stringify(shell)}.`, "Name bash, zsh or fish.");
    // A program for a shell: nothing in it came from a store, and no line of it may be broken.
    if (out.json) await out.value({ shell, script });
    else await io.stdout.write(`${script}\n`);
    return 0;
  },
};
