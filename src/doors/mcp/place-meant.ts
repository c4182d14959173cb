import { type Seen, scopeMeant } from "../cli/scope-words.js";

/** Where a memory lives, said in the documents' words; what is none of them is taken as it is. */
export const placeMeant = (word: string | undefined, sight: Seen): { readonly scope?: string } =>
  word === undefined ? {} : { scope: scopeMeant(word, sight, "agent").scope ?? word };
