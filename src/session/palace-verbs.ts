import { type Json, PalimpsestError, parseScope } from "../core/base/index.js";
import type { Verdict } from "../gate/index.js";
import type { Memory, Room } from "../memories/index.js";
import type {
  Layout,
  NewScratch,
  PalaceConfig,
  PlaceOptions,
  Promotion,
  ScratchEntry,
  ScratchHit,
  ScratchOptions,
  ScratchSearchOptions,
  SyncOptions,
  SyncReport,
} from "../palace/index.js";
import type { PlaybookAnswer, PlaybookOptions } from "../recall/index.js";
import type { WriteOptions } from "../repo/index.js";
import {
  type Allowed,
  checkGiven,
  checkOptions,
  count,
  deskOf,
  flag,
  listOf,
  object,
  optional,
  PLACED,
  path,
  plainGiven,
  shape,
  text,
  texts,
  WRITING,
} from "../repo/index.js";
import { ForeignVerbs } from "./foreign-verbs.js";

const PLACING: Allowed<PlaceOptions & WriteOptions> = { ...WRITING, scope: text };
const PAD: Allowed<ScratchOptions> = { session: text };

const ROOM = shape({ name: text, description: optional(text), drawers: optional(texts) });
const LAYOUT = shape({ rooms: listOf(ROOM, "rooms, each with a name, a description and drawers") });

/** The verbs of the palace: who the agent is, rooms and drawers, the scratchpad, playbooks. Their code is loaded late. */
export class PalaceVerbs extends ForeignVerbs {
  /** L0: who the agent is, as its own scope says, else its project's, else the shared one. */
  async identity(
    options: { readonly scope?: string; readonly at?: string } = {},
  ): Promise<Memory | undefined> {
    checkOptions("identity", options, PLACED);
    return this.read(options.at, async (tip, now) =>
      (await reads()).identity(
        { context: this.context, reader: this.engine.reader, tip, now },
        options.scope,
      ),
    );
  }

  async setIdentity(identity: string, options: PlaceOptions & WriteOptions = {}): Promise<Verdict> {
    checkGiven("setIdentity", { identity }, { identity: text });
    checkOptions("setIdentity", options, PLACING);
    return this.write("identity", options, async (draft) =>
      (await palace()).setIdentity({ context: this.context, draft }, identity, options),
    );
  }

  /** L1: the rooms the session sees and their drawers, in order. What lies in them is counted, not read. */
  async rooms(options: { readonly scope?: string; readonly at?: string } = {}): Promise<readonly Room[]> {
    checkOptions("rooms", options, PLACED);
    return this.read(options.at, async (tip, now) => {
      const { roomsAt } = await import("../memories/palace-rooms.js");
      return roomsAt(this.context, this.engine.reader, tip, now, options.scope);
    });
  }

  /** Makes a room, or a drawer (`room/drawer`) and its room. */
  async createPlace(
    place: string,
    options: PlaceOptions & WriteOptions & { readonly description?: string } = {},
  ): Promise<Verdict> {
    checkOptions("createPlace", options, { ...PLACING, description: text });
    return this.write("palace", options, async (draft) =>
      (await palace()).createPlace({ context: this.context, draft }, place, options),
    );
  }

  /** Makes the rooms of a layout (`issue-analysis`, `health-check`, `code-review`, or one's own) in one commit. */
  async layOut(layout: string | Layout, options: PlaceOptions & WriteOptions = {}): Promise<Verdict[]> {
    checkOptions("layOut", options, PLACING);
    const rooms =
      typeof layout === "string" ? await layoutNamed(layout) : plainGiven("layOut", "layout", layout, LAYOUT);
    return this.submit("palace", options, async (draft) =>
      (await palace()).layOut({ context: this.context, draft }, rooms, options),
    );
  }

  /** Says what a room or drawer is for. */
  async describePlace(
    place: string,
    text: string,
    options: PlaceOptions & WriteOptions = {},
  ): Promise<Verdict> {
    checkOptions("describePlace", options, PLACING);
    return this.write("palace", options, async (draft) =>
      (await palace()).describePlace({ context: this.context, draft }, place, text, options),
    );
  }

  async renamePlace(
    place: string,
    name: string,
    options: PlaceOptions & WriteOptions = {},
  ): Promise<Verdict> {
    checkOptions("renamePlace", options, PLACING);
    return this.write("palace", options, async (draft) =>
      (await palace()).renamePlace({ context: this.context, draft }, place, name, options),
    );
  }

  /** Puts a drawer (`room/drawer`) into another room, or a memory (by id) into a room or drawer. */
  async moveInPalace(what: string, to: string, options: PlaceOptions & WriteOptions = {}): Promise<Verdict> {
    checkGiven("moveInPalace", { name: what }, { name: text });
    checkOptions("moveInPalace", options, PLACING);
    return this.write("palace", options, async (draft) =>
      (await palace()).moveInPalace({ context: this.context, draft }, what, to, options),
    );
  }

  /** The settings of the palace, as YAML. */
  async palaceConfig(options: { readonly scope?: string; readonly at?: string } = {}): Promise<string> {
    checkOptions("palaceConfig", options, PLACED);
    return this.read(options.at, async (tip, now) =>
      (await reads()).config({ context: this.context, reader: this.engine.reader, tip, now }, options.scope),
    );
  }

  /** Changes one setting (`scratchpad.ttl`); comments and everything else stay. Without a value it goes. */
  async setPalaceConfig(
    key: string,
    value?: Json,
    options: PlaceOptions & WriteOptions = {},
  ): Promise<Verdict> {
    checkGiven("setPalaceConfig", { key }, { key: text });
    checkOptions("setPalaceConfig", options, PLACING);
    return this.write("palace", options, async (draft) =>
      (await palace()).setConfig({ context: this.context, draft }, key, value, options),
    );
  }

  /** Brings a folder of Markdown files and the palace of a scope together, edits of both sides kept. */
  async syncPalace(folder: string, options: SyncOptions = {}): Promise<SyncReport> {
    checkGiven("syncPalace", { folder }, { folder: path });
    checkOptions("syncPalace", options, { scope: text, dryRun: flag });
    const { syncPalace } = await import("../palace/verbs/sync-palace.js");
    return this.open(() => syncPalace(deskOf(this.engine, this.context), folder, options));
  }

  /** Notes something for this session, for an hour unless told. It is no memory, and becomes one only by `promote`. */
  async addScratch(told: NewScratch, options: ScratchOptions = {}): Promise<ScratchEntry> {
    checkOptions("addScratch", options, PAD);
    const entry = plainGiven("addScratch", "entry", told, object);
    const { addScratch } = await pads();
    if (entry.ttl !== undefined)
      return this.open(() => addScratch(this.context, this.engine, entry, options));
    const seconds = (await this.#config()).scratchpad?.ttl;
    const given = seconds === undefined ? entry : { ...entry, ttl: seconds * 1000 };
    return addScratch(this.context, this.engine, given, options);
  }

  async #config(): Promise<PalaceConfig> {
    const { readConfig } = await import("../palace/config.js");
    return readConfig(await this.palaceConfig());
  }

  /** The scratchpad of a session: the newest entry of each key; with `all` also those that it stands for. */
  async scratch(
    options: ScratchOptions & { readonly key?: string; readonly all?: boolean } = {},
  ): Promise<readonly ScratchEntry[]> {
    checkOptions("scratch", options, { ...PAD, key: text, all: flag });
    return this.tell(async () => (await pads()).scratch(this.context, options));
  }

  /** L2: what the scratchpad of a session says about a question, best first. */
  async searchScratch(question: string, options: ScratchSearchOptions = {}): Promise<readonly ScratchHit[]> {
    checkGiven("searchScratch", { question }, { question: text });
    checkOptions("searchScratch", options, { ...PAD, limit: count });
    return this.tell(async () => (await pads()).searchScratch(this.context, question, options));
  }

  /** Empties a scratchpad; answers how many entries went. Nothing that is remembered changes. */
  async clearScratch(options: ScratchOptions = {}): Promise<number> {
    checkOptions("clearScratch", options, PAD);
    return this.open(async () => (await pads()).clearScratch(this.context, options));
  }

  /**
   * Takes something from the scratchpad into the palace: summed up, for a reason, through the gate. What contradicts the
   * drawer, or is older than a week, waits for a person; nothing is ever promoted by itself.
   */
  async promote(
    told: Promotion,
    options: PlaceOptions & Pick<WriteOptions, "dryRun"> = {},
  ): Promise<Verdict & { readonly place: string }> {
    checkOptions("promote", options, { scope: text, dryRun: flag });
    const { checkPromotion } = await import("../palace/promotion.js");
    const { placeText } = await import("../memories/places.js");
    const given = plainGiven("promote", "promotion", told, object);
    checkPromotion(given);
    const { placeFor, promote, promotionInput } = await import("../palace/verbs/promote-scratch.js");
    const { key, reason } = given;
    const [entry] = await this.scratch({ session: given.session, key });
    const { context } = this;
    if (!entry)
      throw new PalimpsestError("NOT_FOUND", `The scratchpad has no ${JSON.stringify(key)}.`, {
        hint: "See `pal scratch list`; entries expire.",
      });
    const session = given.session ?? (context.sessionId as string);
    const scope = options.scope === undefined ? context.home : parseScope(options.scope);
    const { promotion } = await this.#config();
    const to = await this.look(undefined, (tip, now) =>
      placeFor(context, this.engine.reader, tip, now, scope, given, promotion?.routes),
    );
    const input = promotionInput(context, given, entry, session);
    const [place, from] = [placeText(to), { session, key, ...(entry.tool && { tool: entry.tool }) }];
    const writing = { message: reason, meta: { promotion: { ...from, place } }, dryRun: options.dryRun };
    const verdict = await this.write("promote", writing, (draft) =>
      promote(context, draft, { input, scope, place: to, entry }),
    );
    const waits = verdict.verdict === "quarantined" && verdict.staged === undefined && !options.dryRun;
    if (!waits) return { ...verdict, place };
    const { against } = verdict;
    const { id } = await this.propose(
      "promotion",
      (tx) =>
        against === undefined
          ? tx.remember({ ...input, scope, in: place })
          : tx.update(against, input, { scope }),
      { reason, data: { ...from, place, ...(against && { against }) } },
    );
    return { ...verdict, place, ...(id !== undefined && { staged: id }) };
  }

  /** L4: documented ways to do a task, best first, from the folders of `$PAL_PLAYBOOKS` or those given. */
  async playbooks(task: string, options: PlaybookOptions = {}): Promise<PlaybookAnswer> {
    checkGiven("playbooks", { task }, { task: text });
    checkOptions("playbooks", options, { folders: texts, limit: count });
    return this.tell(async () => (await import("../recall/verbs/playbooks.js")).playbooks(task, options));
  }
}

/** Asked at every recall, which needs nothing of what changes a palace. */
const reads = () => import("../palace/verbs/palace-reads.js");
const palace = () => import("../palace/verbs/palace.js");
const pads = () => import("../palace/verbs/scratch.js");

async function layoutNamed(name: string): Promise<Layout> {
  const { LAYOUTS } = await import("../palace/layouts.js");
  const layout = Object.hasOwn(LAYOUTS, name) ? LAYOUTS[name] : undefined;
  if (layout) return layout();
  throw new PalimpsestError("INVALID_VALUE", `There is no layout ${JSON.stringify(name)}.`, {
    hint: `Choose one of ${Object.keys(LAYOUTS).join(", ")}.`,
  });
}
