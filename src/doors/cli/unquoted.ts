/** Put in quotes as a whole, a question is the same question. */
export function unquoted(text: string): string {
  const [, inner] = /^\s*["'“„«]\s*([^"“”„«»\n]+?)\s*["'”“»]\s*$/.exec(text) ?? [];
  return inner ?? text;
}
