import { PalimpsestError } from "../base/index.js";
import type { Verdict } from "../gate/index.js";
import {
  LAYOUTS,
  type Layout,
  type NewScratch,
  type Room,
  type ScratchEntry,
  type ScratchHit,
} from "../palace/index.js";
import type { Memory } from "./memory.js";
import type { WriteOptions } from "./session-core.js";
import { VaultVerbs } from "./vault-verbs.js";
import type { PlaceOptions } from "./verbs/palace.js";
import type { PlaybookAnswer, PlaybookOptions } from "./verbs/playbooks.js";
import type { ScratchOptions, ScratchSearchOptions } from "./verbs/scratch.js";

/** The verbs of the palace: who the agent is, rooms and drawers, the scratchpad, playbooks. Their code is loaded late. */
export class PalaceVerbs extends VaultVerbs {
  /** L0: who the agent is, as its own scope says, else its project's, else the shared one. */
  identity(options: { readonly scope?: string; readonly at?: string } = {}): Promise<Memory | undefined> {
    return this.read(options.at, async (tip, now) =>
      (await palace()).identity(this.context, this.engine.reader, tip, now, options.scope),
    );
  }

  setIdentity(text: string, options: PlaceOptions & WriteOptions = {}): Promise<Verdict> {
    return this.write("identity", options, async (draft) =>
      (await palace()).setIdentity(this.context, draft, text, options),
    );
  }

  /** L1: the rooms the session sees and their drawers, in order. What lies in them is counted, not read. */
  rooms(options: { readonly scope?: string; readonly at?: string } = {}): Promise<Room[]> {
    return this.read(options.at, async (tip, now) => {
      const { roomsAt } = await import("./palace-rooms.js");
      return roomsAt(this.context, this.engine.reader, tip, now, options.scope);
    });
  }

  /** Makes a room, or a drawer (`room/drawer`) and its room. */
  createPlace(
    place: string,
    options: PlaceOptions & WriteOptions & { readonly description?: string } = {},
  ): Promise<Verdict> {
    return this.write("palace", options, async (draft) =>
      (await palace()).createPlace(this.context, draft, place, options),
    );
  }

  /** Makes the rooms of a layout (`issue-analysis`, `health-check`, `code-review`, or one's own) in one commit. */
  layOut(layout: string | Layout, options: PlaceOptions & WriteOptions = {}): Promise<Verdict[]> {
    const rooms = typeof layout === "string" ? layoutNamed(layout) : layout;
    return this.submit("palace", options, async (draft) =>
      (await palace()).layOut(this.context, draft, rooms, options),
    );
  }

  /** Says what a room or drawer is for. */
  describePlace(place: string, text: string, options: PlaceOptions & WriteOptions = {}): Promise<Verdict> {
    return this.write("palace", options, async (draft) =>
      (await palace()).describePlace(this.context, draft, place, text, options),
    );
  }

  renamePlace(place: string, name: string, options: PlaceOptions & WriteOptions = {}): Promise<Verdict> {
    return this.write("palace", options, async (draft) =>
      (await palace()).renamePlace(this.context, draft, place, name, options),
    );
  }

  /** Puts a drawer (`room/drawer`) into another room, or a memory (by id) into a room or drawer. */
  moveInPalace(what: string, to: string, options: PlaceOptions & WriteOptions = {}): Promise<Verdict> {
    return this.write("palace", options, async (draft) =>
      (await palace()).moveInPalace(this.context, draft, what, to, options),
    );
  }

  /** Notes something for this session, for an hour unless told. It is no memory, and becomes one only by `promote`. */
  addScratch(entry: NewScratch, options: ScratchOptions = {}): Promise<ScratchEntry> {
    return this.open(async () => (await pads()).addScratch(this.context, this.engine, entry, options));
  }

  /** The scratchpad of a session: the newest entry of each key; with `all` also those that it stands for. */
  scratch(
    options: ScratchOptions & { readonly key?: string; readonly all?: boolean } = {},
  ): Promise<ScratchEntry[]> {
    return this.open(async () => (await pads()).scratch(this.context, this.engine, options));
  }

  /** L2: what the scratchpad of a session says about a question, best first. */
  searchScratch(question: string, options: ScratchSearchOptions = {}): Promise<ScratchHit[]> {
    return this.open(async () => (await pads()).searchScratch(this.context, this.engine, question, options));
  }

  /** Empties a scratchpad; answers how many entries went. Nothing that is remembered changes. */
  clearScratch(options: ScratchOptions = {}): Promise<number> {
    return this.open(async () => (await pads()).clearScratch(this.context, this.engine, options));
  }

  /** L4: documented ways to do a task, best first, from the folders of `$PAL_PLAYBOOKS` or those given. */
  playbooks(task: string, options: PlaybookOptions = {}): Promise<PlaybookAnswer> {
    return this.open(async () => (await import("./verbs/playbooks.js")).playbooks(task, options));
  }
}

const palace = () => import("./verbs/palace.js");
const pads = () => import("./verbs/scratch.js");

function layoutNamed(name: string): Layout {
  const layout = Object.hasOwn(LAYOUTS, name) ? LAYOUTS[name] : undefined;
  if (layout) return layout();
  throw new PalimpsestError("INVALID_VALUE", `There is no layout ${JSON.stringify(name)}.`, {
    hint: `Choose one of ${Object.keys(LAYOUTS).join(", ")}.`,
  });
}
