/** hooks: memory where agents are: at the start of a session, at a prompt, before a conversation is lost. */
export {
  AGENTS,
  type AgentName,
  answerFor,
  eventOf,
  type HookEvent,
  readInput,
  takesContext,
} from "./agents.js";
export { mayBeKnown, runHook } from "./hook.js";
