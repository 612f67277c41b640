import { count } from './count';
import { utcMinute } from './duration';

/** The sentences of headrooms that are for a workload, beside `REASONS`: only bundles with such a headroom have them. */
export const LIKE_REASONS = {
  unshaped: (workload: string) =>
    `the pods of ${workload} are not known yet: the size stays, and an override applies once they are, exactly 0 at once`,
  uncounted: (workload: string) => `the replicas of ${workload} are not counted yet`,
  unread: (workload: string, since: string, problem: string) =>
    `${workload} not usable since ${since}, so its last known shape and replicas apply: ${problem}`,
  broken: (broken: string) => `part of the annotation headstart.dev/like cannot be read: ${broken}`,
} as const;

/** The sizes within `REASONS` that are shares of a workload's replicas. */
export const SHARES = {
  counted: (share: number, workload: string, replicas: number, pods: number) =>
    `${share} % of the ${count(replicas, 'replica')} of ${workload} = ${count(pods, 'pod')}`,
  uncounted: (share: number, workload: string, at?: number) =>
    `${share} % of the replicas of ${workload}, ${at === undefined ? 'not counted yet' : `counted at ${utcMinute(at)}`}`,
} as const;
