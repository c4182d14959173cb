/** What a piece of evidence is worth when nobody says otherwise: it takes three tenths of the doubt that is left. */
const EVIDENCE = 0.3;
/** As sure as agents may become among themselves. */
const MOST_WITHOUT_USER = 0.95;

/** The confidence of a belief after one more piece of evidence. */
export function strengthened(confidence: number, byUser: boolean, evidence = EVIDENCE): number {
  const raised = 1 - (1 - evidence) * (1 - confidence);
  const most = byUser ? 1 : Math.max(MOST_WITHOUT_USER, confidence);
  return Math.round(Math.min(raised, most) * 1e6) / 1e6;
}
