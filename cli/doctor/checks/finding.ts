/** A problem, with its evidence and its fix. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'note';
  /** What it is about: `NodePool default`. */
  readonly about: string;
  readonly problem: string;
  readonly evidence: string;
  readonly fix: string;
}

export function error(about: string, problem: string, evidence: string, fix: string): Finding {
  return { severity: 'error', about, problem, evidence, fix };
}

/** One area of checks; `unread` says why it could not be read. */
export interface Checkup {
  readonly area: string;
  readonly findings: readonly Finding[];
  readonly unread?: string;
}

/** Everything that doctor checked and found. */
export interface Diagnosis {
  readonly checkups: readonly Checkup[];
  /** Facts other than problems, such as versions. */
  readonly seen: readonly string[];
  /** Whole parts that were not checked, and how to have them checked. */
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly part: 'the cluster' | 'the AWS account';
  /** The option to add; absent if it was given and the part could not be accessed. */
  readonly add?: string;
}
