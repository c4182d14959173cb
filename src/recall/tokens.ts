/**
 * About how many tokens a text is: its bytes in UTF-8 by 3.5. English has four characters to a token, Chinese about one
 * (three bytes), code less than English; counting too many is the safer error.
 */
export const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES);
const BYTES = 3.5;
