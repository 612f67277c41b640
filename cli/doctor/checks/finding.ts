/** Something that doctor found, with what it saw and what to do. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'note';
  /** What it is about: `NodePool default`. */
  readonly about: string;
  readonly problem: string;
  readonly evidence: string;
  readonly fix: string;
}

/** One area that was looked at; `unread` says why it could not be. */
export interface Checkup {
  readonly area: string;
  readonly findings: readonly Finding[];
  readonly unread?: string;
}

/** What doctor looked at and found. */
export interface Diagnosis {
  readonly checkups: readonly Checkup[];
  /** What it could see beside problems, such as versions. */
  readonly seen: readonly string[];
  /** What it did not look at, and how to let it. */
  readonly skipped: readonly string[];
}
