/** Every fault and disturbance of a simulated run, which counts each of them. */
export const FAULT_KINDS = [
  'event lost',
  'event doubled',
  'event late',
  'event out of order',
  'event malformed',
  'event dated ahead',
  'process killed before a call',
  'process killed during a call',
  'process killed before its answer',
  'request lost',
  'response lost after the write',
  'write that took effect after its time-out',
  'connection dead after sleep',
  '401',
  '409',
  '410 in the middle of a list',
  '429',
  '5xx',
  '5xx after the write',
  'response unreadable',
  'slow page',
  'alarms not readable',
  'NodeClaims not readable',
  'clock skewed',
  'clock wrong by hours',
  'functions racing',
  'functions racing for a count of nodes',
  'process killed while it counts nodes',
  'deploy',
  'old function beside new ones',
  'deploy rolled back',
  'override ordered',
  'more nodes ordered',
  'release ordered',
  'overrides of one instant',
  'NodePool vanished',
  'NodePool appeared',
  'scaled by hand',
  'record broken by hand',
  'part of the record broken by hand',
  'record of a newer version',
  'record removed by hand',
  'label removed by hand',
  'owner removed by hand',
  'template edited by hand',
  'deleted by hand',
  'field set back by another writer',
  'NodePool of another owner',
  'peak announced',
  'peak taken back',
  'live schedules edited',
  'live schedules broken',
  'live schedules deleted',
  'live schedules replaced',
  'live schedules not readable',
  'kept live schedules broken by hand',
  'pause pods taken in a burst',
  'pause pod taken alone',
  'pause pods not readable',
  'workload grew or shrank',
  'workload oscillates',
  'workload changed shape',
  'workload vanished',
  'workload not readable',
  'share ordered',
  'alarm flaps',
] as const;

/** Drawn apart, so that scenarios without bursts and workloads stay as they are. */
export const DRAWN_APART: readonly string[] = [
  'pause pods taken in a burst',
  'pause pod taken alone',
  'pause pods not readable',
  'workload grew or shrank',
  'workload oscillates',
  'workload changed shape',
  'workload vanished',
  'workload not readable',
  'share ordered',
  'alarm flaps',
] satisfies readonly FaultKind[];

export type FaultKind = (typeof FAULT_KINDS)[number];

/** How often each kind happened. */
export class FaultCounts {
  private readonly counts = new Map<FaultKind, number>(FAULT_KINDS.map((kind) => [kind, 0]));

  add(kind: FaultKind, count = 1): void {
    this.counts.set(kind, this.of(kind) + count);
  }

  of(kind: FaultKind): number {
    return this.counts.get(kind) ?? 0;
  }

  addAll(other: FaultCounts): void {
    for (const [kind, count] of other.entries()) this.add(kind, count);
  }

  entries(): readonly (readonly [FaultKind, number])[] {
    return [...this.counts];
  }
}
