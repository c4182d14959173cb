import { expect, it } from "vitest";
import { everything, openSeeded, seeded } from "../../test/_damage.js";
import { PalimpsestError } from "../core/base/errors.js";
import { memoryStorage } from "../storage/index.js";

const RUNS = process.env.PAL_TORTURE ? 500 : 15;

it.each(Array.from({ length: RUNS }, (_, seed) => seed + 1))(
  "V8 a random history is whole (seed %i)",
  async (seed) => {
    const random = seeded(seed * 7919);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const store = await openSeeded(memoryStorage(), seed);
    const pal = everything(store);
    const scope = () => pick(["shared", "agent/orion", "user/7"]);
    const id = () => `m${Math.floor(random() * 12)}`;
    const sensitivity = () => pick(["normal", "private", "confidential"] as const);
    const text = () => `Text ${Math.floor(random() * 1000)}`;
    const steps: (() => Promise<unknown>)[] = [
      () => pal.remember({ id: id(), scope: scope(), text: text(), sensitivity: sensitivity() }),
      () => pal.remember({ id: id(), type: "note", text: text(), parent: id() }),
      () => pal.remember({ text: text(), topic: pick(["a", "b"]), ttl: pick([500, 5000, 500_000]) }),
      () => pal.update(id(), { text: text(), tags: [pick(["x", "y"])] }, { scope: scope() }),
      () => pal.forget(id(), { scope: scope(), tree: random() < 0.3, reason: "because" }),
      () => pal.observe(pick(["It rains today", "It snows today"])),
      () => pal.undo(),
      () =>
        pal.transaction(async (tx) => {
          await tx.remember({ id: id(), text: text() });
          await tx.forget(id()).catch(() => undefined);
          await tx.remember({ id: id(), text: text() });
        }),
    ];
    for (let round = 0; round < 15; round++)
      await Promise.all(
        Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
          pick(steps)().catch((error: unknown) => expect(error).toBeInstanceOf(PalimpsestError)),
        ),
      );
    const report = await store.verify();
    expect(report.problems).toEqual([]);
    expect(report.commits).toBeGreaterThan(5);
    await store.close();
  },
);
