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

/** One area that was checked; `unread` is the reason why it could not be. */
export interface Checkup {
  readonly area: string;
  readonly findings: readonly Finding[];
  readonly unread?: string;
}

/** Everything that doctor checked and found. */
export interface Diagnosis {
  readonly checkups: readonly Checkup[];
  /** What it saw besides problems, such as versions. */
  readonly seen: readonly string[];
  /** Whole parts that it did not check, and how to have them checked. */
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly part: 'the cluster' | 'the AWS account';
  /** The option to add; absent where it was given and the part could not be entered. */
  readonly add?: string;
}
