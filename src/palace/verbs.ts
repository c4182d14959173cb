import { type Json, PalimpsestError } from "../core/base/index.js";
import type { Verdict } from "../gate/index.js";
import {
  Access,
  act,
  ask,
  checkGiven,
  checkOptions,
  commitVerdicts,
  Late,
  listOf,
  object,
  optional,
  path,
  plainGiven,
  read,
  shape,
  text,
  texts,
  verb,
  WRITING,
  type WriteOptions,
  write,
} from "../repo/index.js";
import type { Layout } from "./layouts.js";
import {
  IDENTITY,
  NEW_PLACE,
  PALACE_AT,
  PLACE,
  type PlaceOptions,
  PROMOTE_SCRATCH,
  SCRATCH_LIST,
  SCRATCH_OF,
  SCRATCH_SEARCH,
  SET_IDENTITY,
  SYNC,
} from "./options.js";
import type { Promotion } from "./promotion.js";
import type { NewScratch } from "./scratchpad.js";

const ROOM = shape({ name: text, description: optional(text), drawers: optional(texts) });
const LAYOUT = shape({ rooms: listOf(ROOM, "rooms, each with a name, a description and drawers") });

/** Asked at every recall, which needs nothing of what changes a palace. */
const reads = () => import("./verbs/palace.js");
const palace = () => import("./verbs/palace.js");
const pads = () => import("./verbs/scratch.js");

/** What a session does with its palace: who the agent is, rooms and drawers, the scratchpad, the folder of files. */
export const palaceVerbs = {
  /** L0: who the agent is, as its own scope says, else its project's, else the shared one. */
  identity: read(IDENTITY, reads, ({ identity }, at, { scope }) => identity(at, scope)),

  /** Says who the agent is. */
  setIdentity: write(
    "identity",
    SET_IDENTITY,
    palace,
    async ({ setIdentity }, job, options, identity: string) => {
      checkGiven("setIdentity", { identity }, { identity: text });
      return setIdentity(job, identity, options);
    },
  ),

  /** L1: the rooms the session sees and their drawers, in order. What lies in them is counted, not read. */
  rooms: read(
    PALACE_AT,
    () => import("../memories/places.js"),
    ({ roomsAt }, at, { scope }) => roomsAt(at, scope),
  ),

  /** Makes a room, or a drawer (`room/drawer`) and its room. */
  createPlace: write("palace", NEW_PLACE, palace, ({ createPlace }, job, options, place: string) =>
    createPlace(job, place, options),
  ),

  /** Makes the rooms of a layout (`issue-analysis`, `health-check`, `code-review`, or one's own) in one commit. */
  layOut: verb("writes", { ...WRITING, ...PLACE }, (access, name) => {
    const code = new Late(palace);
    return async (layout: string | Layout, options: PlaceOptions & WriteOptions = {}): Promise<Verdict[]> => {
      checkOptions(name, options, { ...WRITING, ...PLACE });
      const rooms =
        typeof layout === "string" ? await layoutNamed(layout) : plainGiven(name, "layout", layout, LAYOUT);
      return access.write(code, ({ layOut }, context) =>
        commitVerdicts(context, { verb: "palace", options, run: (job) => layOut(job, rooms, options) }),
      );
    };
  }),

  /** Says what a room or drawer is for. */
  describePlace: write(
    "palace",
    PLACE,
    palace,
    ({ describePlace }, job, options, place: string, description: string) =>
      describePlace(job, place, description, options),
  ),

  /** Gives a room or drawer another name. What lies in it stays where it is. */
  renamePlace: write("palace", PLACE, palace, ({ renamePlace }, job, options, place: string, name: string) =>
    renamePlace(job, place, name, options),
  ),

  /** Puts a drawer (`room/drawer`) into another room, or a memory (by id) into a room or drawer. */
  moveInPalace: write(
    "palace",
    PLACE,
    palace,
    async ({ moveInPalace }, job, options, what: string, to: string) => {
      checkGiven("moveInPalace", { name: what }, { name: text });
      return moveInPalace(job, what, to, options);
    },
  ),

  /** The settings of the palace, as YAML. */
  palaceConfig: read(PALACE_AT, reads, ({ config }, at, { scope }) => config(at, scope)),

  /** Changes one setting (`scratchpad.ttl`); comments and everything else stay. Without a value it goes. */
  setPalaceConfig: write(
    "palace",
    PLACE,
    palace,
    async ({ setConfig }, job, options, key: string, value?: Json) => {
      checkGiven("setPalaceConfig", { key }, { key: text });
      return setConfig(job, key, value, options);
    },
  ),

  /** Brings a folder of Markdown files and the palace of a scope together, edits of both sides kept. */
  syncPalace: act(
    "writes",
    SYNC,
    () => import("./verbs/sync-palace.js"),
    ({ syncPalace }, { context }, options, folder: string) => {
      checkGiven("syncPalace", { folder }, { folder: path });
      // All of it on one branch, wherever the session goes meanwhile.
      return syncPalace(new Access(context), folder, options);
    },
  ),

  /** Notes something for this session, for an hour by default. It is no memory, and becomes one only by `promote`. */
  addScratch: act("writes", SCRATCH_OF, pads, ({ addScratch }, access, options, added: NewScratch) =>
    addScratch(access, plainGiven("addScratch", "entry", added, object), options),
  ),

  /** The scratchpad of a session: the newest entry of each key; with `all` also those that it stands for. */
  scratch: ask(SCRATCH_LIST, pads, ({ scratch }, context, options) => scratch(context, options)),

  /** L2: what the scratchpad of a session says about a question, best first. */
  searchScratch: ask(SCRATCH_SEARCH, pads, ({ searchScratch }, context, options, question: string) => {
    checkGiven("searchScratch", { question }, { question: text });
    return searchScratch(context, question, options);
  }),

  /** Empties a scratchpad; answers how many entries went. Nothing that is remembered changes. */
  clearScratch: act("writes", SCRATCH_OF, pads, ({ clearScratch }, { context }, options) =>
    clearScratch(context, options),
  ),

  /**
   * Takes something from the scratchpad into the palace: summed up, for a reason, through the gate. What contradicts the
   * drawer, or is older than a week, waits for a person; nothing is ever promoted by itself.
   */
  promote: act(
    "writes",
    PROMOTE_SCRATCH,
    () => import("./verbs/promote-scratch.js"),
    ({ promoteScratch }, access, options, promotion: Promotion) =>
      promoteScratch(access, plainGiven("promote", "promotion", promotion, object), options),
  ),
};

async function layoutNamed(name: string): Promise<Layout> {
  const { LAYOUTS } = await import("./layouts.js");
  const layout = Object.hasOwn(LAYOUTS, name) ? LAYOUTS[name] : undefined;
  if (layout) return layout();
  throw new PalimpsestError("INVALID_VALUE", `There is no layout ${JSON.stringify(name)}.`, {
    hint: `Choose one of ${Object.keys(LAYOUTS).join(", ")}.`,
  });
}
