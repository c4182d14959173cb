/** The oldest Node that has all we use. */
const LEAST = [20, 19] as const;

/** What to say to a Node that is too old. */
export function tooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isOld = major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1]);
  return isOld ? `This is Node ${version}; Palimpsest needs ${LEAST.join(".")} or later.` : undefined;
}
