/** anthropic: handlers of the memory tool of Claude (`memory_20250818`), with files that are memories of a session. */
export { type MemoryCommands, type MemoryHandlers, memoryHandlers } from "./handlers.js";
