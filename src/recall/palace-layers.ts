import { cut } from "../language/index.js";
import type { ScratchHit } from "../palace/index.js";
import { scratchText } from "../palace/index.js";
import type { Citation, Layer, LayerAnswer } from "./layers.js";
import type { PlaybookAnswer } from "./verbs/playbooks.js";

/** Of few texts no statistics tell; a hit holds at least half of what the question is about. */
const COVERED = 0.5;
const EXCERPT = 2_000;

/** L2: what this session noted for itself. */
export const scratchLayer = (find: (question: string) => Promise<readonly ScratchHit[]>): Layer => ({
  name: "L2",
  ask: async (question) =>
    answerOf(
      (await find(question)).map(({ key, value, coverage, time, tool }) => ({
        layer: "L2",
        id: key,
        text: `${key}: ${cut(scratchText(value), EXCERPT)}`,
        score: coverage,
        updatedAt: time,
        ...(tool !== undefined && { speaker: tool }),
      })),
    ),
});

/** L4: how such a thing is done here. */
export const playbookLayer = (find: (task: string) => Promise<PlaybookAnswer>): Layer => ({
  name: "L4",
  async ask(question) {
    const { hits, unavailable } = await find(question);
    const answer = answerOf(
      hits.map(({ name, title, description, text, path, coverage }) => ({
        layer: "L4",
        id: name,
        text: cut(
          [title, description]
            .filter((part) => !text.includes(part))
            .concat(text)
            .join("\n"),
          EXCERPT,
        ),
        score: coverage,
        uri: path,
      })),
    );
    const [failed] = unavailable;
    return answer.status === "empty" && failed
      ? { ...answer, status: "unavailable", reason: `${failed.folder}: ${failed.reason}` }
      : answer;
  },
});

function answerOf(found: readonly Citation[]): LayerAnswer {
  const best = found[0]?.score ?? 0;
  const isHit = best >= COVERED;
  return {
    status: isHit ? "hit" : "empty",
    best,
    found: isHit ? found.filter(({ score }) => score >= COVERED) : found.slice(0, 1),
  };
}
