/**
 * The default run draws the same cases every time, so that a red run is red for whoever looks into it; torture draws
 * new ones, and prints the seed of what it finds.
 */
import fc from "fast-check";

if (process.env.PAL_TORTURE !== "1") fc.configureGlobal({ seed: 20_261_116 });
