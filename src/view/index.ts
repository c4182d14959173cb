/** view: the live memories of one state in RAM, looked up and searched. Pure and synchronous; its owner keeps it in step. */
export { SceneCorpus } from "./corpus.js";
export type { Doc, Held } from "./document.js";
export * as facet from "./facets.js";
export { byIdPart } from "./ids.js";
export { decodeImage, encodeImage, type ImageTag } from "./image.js";
export { nearest, type Scored } from "./nearest.js";
export { Scene, type Viewer } from "./scene.js";
export { byAge, select } from "./select.js";
export { analyserId } from "./text/index.js";
export { View } from "./view.js";
export { WorkingView } from "./working-view.js";
