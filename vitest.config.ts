import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    // The default leaves a core idle, which on two cores is half of them.
    maxWorkers: "100%",
    // Torture runs are long by intent.
    testTimeout: process.env.PAL_TORTURE === "1" ? 3_600_000 : 180_000,
    hookTimeout: 180_000,
    // A store that stays after a search loads a model, and a recall another; tests that want one say so.
    env: { PAL_EMBEDDER: "none", PAL_JUDGE: "none" },
  },
});
