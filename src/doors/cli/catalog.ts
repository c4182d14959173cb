import type { Command } from "./command.js";

type Load = () => Promise<{ readonly command: Command }>;

/** Every command by name. Files are loaded when a command is called, or all of them for the help. */
export const CATALOG: Readonly<Record<string, Load>> = {
  remember: () => import("./commands/remember.js"),
  update: () => import("./commands/update.js"),
  forget: () => import("./commands/forget.js"),
  observe: () => import("./commands/observe.js"),
  get: () => import("./commands/get.js"),
  list: () => import("./commands/list.js"),
  search: () => import("./commands/search.js"),
  view: () => import("./commands/view.js"),
  history: () => import("./commands/history.js"),
  log: () => import("./commands/log.js"),
  ops: () => import("./commands/ops.js"),
  undo: () => import("./commands/undo.js"),
  doctor: () => import("./commands/doctor.js"),
  stats: () => import("./commands/stats.js"),
  verify: () => import("./commands/verify.js"),
  prove: () => import("./commands/prove.js"),
  "verify-proof": () => import("./commands/verify-proof.js"),
  tour: () => import("./commands/tour.js"),
};
