/** A problem, with its evidence and its fix. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'note';
  /** What it is about: `NodePool default`. */
  readonly about: string;
  readonly problem: string;
  readonly evidence: string;
  readonly fix: string;
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
  /** What it did not check, and the option that makes it. */
  readonly skipped: readonly string[];
}
