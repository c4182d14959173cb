import { resolve } from "node:path";
import type { Layer } from "../../session/index.js";
import { usage } from "./fail.js";

export interface ArtifactChoice {
  readonly repo?: string | undefined;
  readonly forge?: string | undefined;
  readonly forgeRepo?: string | undefined;
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** L3, where somebody named a repository or a forge: nothing outside of memory is asked unless told. */
export async function artifactsFrom(
  { env, cwd }: Surroundings,
  choice: ArtifactChoice = {},
): Promise<Layer[]> {
  const repo = choice.repo ?? (env.PAL_REPO || undefined);
  const forge = choice.forge ?? (env.PAL_FORGE_URL || undefined);
  const name = choice.forgeRepo ?? (env.PAL_FORGE_REPO || undefined);
  if (repo === undefined && forge === undefined) return [];
  if (forge !== undefined && !/^[^/\s]+\/[^/\s]+$/.test(name ?? ""))
    throw usage("A forge is asked about one repository.", "Name it with --forge-repo owner/name.");
  const { artifactLayer, forgeArtifacts, gitArtifacts } = await import("../../session/index.js");
  const token = env.PAL_FORGE_TOKEN || undefined;
  return [
    artifactLayer([
      ...(repo === undefined ? [] : [gitArtifacts({ directory: resolve(cwd, repo) })]),
      ...(forge === undefined
        ? []
        : [
            forgeArtifacts({
              baseUrl: forge,
              repository: name as string,
              ...(token !== undefined && { token }),
            }),
          ]),
    ]),
  ];
}
