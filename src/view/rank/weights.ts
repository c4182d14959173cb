/** What each feature of the table is worth, and where the numbers come from. */
export interface Weights {
  readonly provenance: string;
  readonly byFeature: Readonly<Record<string, number>>;
}
