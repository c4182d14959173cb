import type { Command } from "../command.js";

export const command: Command = {
  name: "tour",
  summary: "see the product at work on a throw-away store, in seconds",
  examples: ["pal tour"],
  async run(call) {
    const { tour } = await import("../tour/tour.js");
    return tour(call);
  },
};
