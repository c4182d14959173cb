/** What each feature of the table is worth, and where the numbers come from. */
export interface Weights {
  readonly provenance: string;
  readonly byFeature: Readonly<Record<string, number>>;
  /** What it is worth to share rare words with the best hits; nothing unless said. */
  readonly kin?: number;
}
