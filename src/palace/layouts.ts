/** Rooms to begin with: what each is for, and the drawers in it. */
export interface Layout {
  readonly name: string;
  readonly description: string;
  readonly rooms: readonly LayoutRoom[];
}

export interface LayoutRoom {
  readonly name: string;
  readonly description: string;
  readonly drawers?: readonly string[];
}

/** For an agent that takes issues apart: what was reported, what was found, what was decided. */
export const forIssueAnalysis = (): Layout => ({
  name: "issue-analysis",
  description: "What is known about issues: reports, causes, decisions, and how they ended.",
  rooms: [
    {
      name: "issues",
      description: "One drawer per issue: what was reported and what is known of it.",
      drawers: ["open", "closed"],
    },
    {
      name: "causes",
      description: "Root causes that were found, and how they were proven.",
      drawers: ["known"],
    },
    { name: "code", description: "Files and modules that issues led to.", drawers: ["hot-spots"] },
    {
      name: "decisions",
      description: "What was decided about an issue, by whom and why.",
      drawers: ["accepted", "declined"],
    },
    { name: "people", description: "Who reports, who decides, who knows what.", drawers: ["contacts"] },
  ],
});

/** For an agent that watches systems: what is normal, what went wrong, what helps. */
export const forHealthCheck = (): Layout => ({
  name: "health-check",
  description: "What is known about running systems: services, what is normal, incidents, remedies.",
  rooms: [
    {
      name: "services",
      description: "One drawer per service: what it does, where it runs, who owns it.",
      drawers: ["inventory"],
    },
    {
      name: "baselines",
      description: "What is normal: load, latency, sizes, times of the day.",
      drawers: ["figures"],
    },
    { name: "incidents", description: "What failed, when, and what it was.", drawers: ["history"] },
    { name: "remedies", description: "What helped before, and what made it worse.", drawers: ["proven"] },
    { name: "alerts", description: "Which alerts matter and which are noise.", drawers: ["rules"] },
  ],
});

/** For an agent that reviews changes: conventions, recurring findings, the shape of the code. */
export const forCodeReview = (): Layout => ({
  name: "code-review",
  description: "What is known about the code and how its people want it written.",
  rooms: [
    { name: "conventions", description: "How code is written here.", drawers: ["style", "tests"] },
    { name: "architecture", description: "Modules, boundaries, and why they are so.", drawers: ["modules"] },
    { name: "findings", description: "Mistakes that come back, and how they look.", drawers: ["recurring"] },
    { name: "decisions", description: "What was argued about and settled.", drawers: ["settled"] },
    { name: "people", description: "Who owns what, and what each looks for.", drawers: ["reviewers"] },
  ],
});

export const LAYOUTS: Readonly<Record<string, () => Layout>> = {
  "issue-analysis": forIssueAnalysis,
  "health-check": forHealthCheck,
  "code-review": forCodeReview,
};
