import type { JsonObject } from "../core/base/index.js";
import { type FullRecord, laneOf } from "../core/ledger/index.js";

/** A memory as exports tell of it, with what its history says. */
export type Exported = FullRecord & {
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** What the gate takes back: the fields of a memory that somebody gave, without what is computed. */
export function fieldsOf(memory: FullRecord): JsonObject {
  const { origin, lifetime, confidence, sensitivity, attributes, tags } = memory;
  const { id, scope, type, text, triple, category, parent, position, tier, topic, expiresAt, valid } = memory;
  const given = {
    id,
    scope,
    type,
    text,
    triple,
    attributes: Object.keys(attributes).length > 0 ? attributes : undefined,
    category,
    tags: tags.length > 0 ? tags : undefined,
    parent,
    position,
    tier: tier === "canon" ? tier : undefined,
    topic,
    lifetime: lifetime === "permanent" ? undefined : "temporary",
    expiresAt,
    confidence: confidence === 1 ? undefined : confidence,
    sensitivity: sensitivity === "normal" ? undefined : sensitivity,
    source: origin.source,
    evidence: origin.evidence,
    uri: origin.uri,
    turn: origin.turn,
    speaker: laneOf(type) === "message" ? origin.actor : undefined,
    conversation: laneOf(type) === "message" ? origin.session : undefined,
    valid,
  };
  return JSON.parse(JSON.stringify(given)) as JsonObject;
}

/** A memory and how deep in its tree it is, from 1. */
export interface Nested {
  readonly memory: FullRecord;
  readonly level: number;
}
