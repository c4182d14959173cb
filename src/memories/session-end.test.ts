import { describe, expect, it } from "vitest";
import { openStore } from "../session/index.js";
import { memoryStorage } from "../storage/index.js";

const opened = () => openStore(memoryStorage(), { embedder: "none" });

describe("what lives for a session ends with it, and nobody else's", () => {
  it("U720 the end of an agent's session ends no memory of another agent whose session has the same id, in one process or two", async () => {
    const storage = memoryStorage();
    const [store, other] = [await openStore(storage), await openStore(storage)];
    for (const second of [store, other]) {
      const ann = store.session({ agent: "ann", sessionId: "s1" });
      const bob = second.session({ agent: "bob", sessionId: "s1" });
      await ann.remember("The kettle is on", { id: "of-ann", lifetime: "session" });
      await bob.remember("The lamp is lit", { id: "of-bob", lifetime: "session" });
      await ann.close();
      const here = store.session({ agent: "carol" });
      expect(await here.get("of-ann")).toBeUndefined();
      expect(await here.get("of-bob")).toBeDefined();
      await bob.close();
      expect(await here.get("of-bob")).toBeUndefined();
    }
    await store.close();
    await other.close();
  });

  it("U720 whose it is, is whose write gave it that end, not who wrote it first or last", async () => {
    const store = await opened();
    const ann = store.session({ agent: "ann", sessionId: "s1" });
    const bob = store.session({ agent: "bob", sessionId: "s1" });
    await ann.remember("The garden gate is green", { id: "gate" });
    await bob.update("gate", { lifetime: "session" });
    await ann.update("gate", "The garden gate is dark green");
    await ann.close();
    expect((await bob.get("gate"))?.lifetime).toBe("session");
    await bob.close();
    expect(await store.session({ agent: "carol" }).get("gate")).toBeUndefined();
    await store.close();
  });
});
