import { formatDuration, spanText } from '../../../shared/core/basics/duration';
import { headroomName } from '../../../shared/core/basics/names';
import type { ClaimFacts } from '../../../shared/core/karpenter/capacity-facts';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { ENOUGH_NODES } from '../../../shared/core/occurrences/lead-time';
import { percentile95, withStarts } from '../../../shared/core/occurrences/node-starts';
import type { NodeStart } from '../../../shared/core/ports/ports';
import { readRecord } from '../../../shared/core/record/record-codec';
import { readOr } from '../../kube/read';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, type Findings, warning } from './finding';

/** EventBridge Scheduler is precise to a minute. */
const EDGE_MINUTES = 1;

/** A fixed lead time must be long enough for the nodes, current and recorded. */
export function* checkLeadTimes(facts: KubeFacts, { config }: Context): Findings {
  for (const { name, autoLead, windows, leadMinutes } of config.headrooms) {
    const seconds = autoLead || windows.length === 0 ? [] : secondsOf(name, facts);
    const took = Math.ceil(percentile95(seconds) / 60);
    const needed = took + EDGE_MINUTES;
    if (seconds.length >= ENOUGH_NODES && leadMinutes < needed)
      yield warning(
        `NodePool ${name}`,
        'has a leadTime that is too short for its nodes, so windows open before they are ready',
        `leadTime ${spanText(leadMinutes)}; 95 % of ${seconds.length} nodes took up to ${spanText(took)}, and a schedule can fire a minute late`,
        `write leadTime: auto, or leadTime: ${formatDuration(needed * 60)}`,
      );
  }
}

function secondsOf(nodePool: string, { capacity, headrooms }: KubeFacts): readonly number[] {
  const current = readOr(headrooms, []).find(({ name }) => name === headroomName(nodePool));
  const { nodeStarts = {} } = readRecord(current?.annotations[ANNOTATIONS.record]).record;
  const claims = capacity.filter((one) => one.nodePool === nodePool).flatMap((one) => one.claims);
  const starts = claims.map((claim) => startOf(nodePool, claim));
  return Object.values(withStarts(nodeStarts, starts));
}

function startOf(nodePool: string, { name, createdAt, conditions }: ClaimFacts): NodeStart {
  const done = conditions.find(({ type, status }) => type === 'Initialized' && status === 'True');
  const initializedAt = Date.parse(done?.lastTransitionTime ?? '');
  // NodeClaims of one NodePool differ in the generated end of their names.
  return { nodePool, id: name.slice(-5), createdAt, ...(done && { initializedAt }), deleting: false };
}
