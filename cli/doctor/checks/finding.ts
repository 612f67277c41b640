import type { Config } from '../../../shared/core/config/config';
import type { Commands } from '../../input/commands';
import type { Read } from '../../kube/read';
import { plain, plainAll } from '../../terminal/plain';

export interface Finding {
  readonly severity: 'error' | 'warning' | 'note';
  /** What it is about: `NodePool default`. */
  readonly about: string;
  readonly problem: string;
  readonly evidence: string;
  readonly fix: string;
}

function severe(severity: Finding['severity']) {
  return (about: string, problem: string, evidence: string, fix: string): Finding => {
    // Any of it may quote the cluster or AWS; only in the fix are backticks ours, around a command.
    return { severity, ...plainAll({ about, problem, evidence }), fix: plain(fix) };
  };
}

export const [error, warning, note] = [severe('error'), severe('warning'), severe('note')];

export type Findings = Iterable<Finding>;

export interface Context {
  readonly config: Config;
  readonly now: number;
  readonly commands: Commands;
}

/** One area of checks; `unread` says why it could not be read. */
export interface Checkup {
  readonly area: string;
  readonly findings: readonly Finding[];
  readonly unread?: string;
}

export function checkup(area: string, reads: readonly Read<unknown>[], findings: Findings): Checkup {
  const unread = new Set(reads.flatMap((read) => (read.ok ? [] : [read.why])));
  return { area, findings: [...findings], ...(unread.size > 0 && { unread: plainAll([...unread].join('; ')) }) };
}

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
