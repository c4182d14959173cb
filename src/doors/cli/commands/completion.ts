import type { Command } from "../command.js";
import { usage } from "../fail.js";
import { clean } from "../line.js";

const SHELLS = ["bash", "zsh", "fish"] as const;

export const command: Command = {
  name: "completion",
  summary: "print what makes a shell complete commands, options and names of branches",
  args: [{ name: "<shell>", description: "bash, zsh or fish" }],
  examples: [
    "pal completion bash > ~/.local/share/bash-completion/completions/pal",
    "pal completion zsh > ~/.zfunc/_pal",
    "pal completion fish > ~/.config/fish/completions/pal.fish",
  ],
  async run({ args, out }) {
    const [shell = ""] = args;
    if (!SHELLS.some((known) => known === shell))
      throw usage(`There is no completion for ${JSON.stringify(shell)}.`, "Name bash, zsh or fish.");
    const { completionScript } = await import("../completions.js");
    const script = completionScript(shell);
    await out.answer({ shell, script }, () => [clean(script)]);
    return 0;
  },
};
