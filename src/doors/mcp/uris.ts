/** What a uri of ours names. Ids hold any character, so they are percent-encoded. */
export interface Target {
  readonly kind: "memory" | "branch";
  readonly name: string;
}

export const uriOf = (kind: Target["kind"], name: string): string =>
  `memory://${kind}/${encodeURIComponent(name)}`;

export function readUri(uri: string): Target | undefined {
  const [, kind, name] = /^memory:\/\/(memory|branch)\/([^/?#]+)$/.exec(uri) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  try {
    return { kind: kind as Target["kind"], name: decodeURIComponent(name) };
  } catch {
    return undefined;
  }
}
