import { byCodeUnit } from "../../core/ledger/index.js";
import { facet, Scene, select } from "../../index/index.js";
import { gather, memoriesOf } from "../../memories/index.js";
import type { At } from "../../repo/index.js";
import { contestedTerms } from "../contested-terms.js";
import type { Conflict } from "./merge.js";

/** Every contested field the session sees, with who says what. */
export async function conflicts({ context, reader, tip, now }: At): Promise<Conflict[]> {
  const { views, branch, sight } = context;
  const time = Date.parse(now);
  const gathered = await views.use(branch, tip, (view) =>
    gather(view, select(new Scene(view, sight, time), [facet.CONTESTED]), context, time),
  );
  const found = (await memoriesOf(reader, gathered)).flatMap((memory) =>
    Object.keys(memory.contested ?? {}).map((field) => ({
      id: memory.id,
      scope: memory.scope,
      field,
      terms: contestedTerms(memory, field, memory),
    })),
  );
  return found.sort(
    (a, b) => byCodeUnit(a.scope, b.scope) || byCodeUnit(a.id, b.id) || byCodeUnit(a.field, b.field),
  );
}
