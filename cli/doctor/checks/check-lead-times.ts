import { formatDuration, spanText } from '../../../shared/core/basics/duration';
import { headroomName } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { ClaimFacts } from '../../../shared/core/karpenter/capacity-facts';
import { ENOUGH_NODES } from '../../../shared/core/occurrences/lead-time';
import { percentile95, withStarts } from '../../../shared/core/occurrences/node-starts';
import type { NodeStart } from '../../../shared/core/ports/ports';
import { keptFor } from '../../../shared/core/record/kept-for';
import { readStored } from '../../../shared/core/record/record-codec';
import { readOr } from '../../kube/read';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, type Findings, warning } from './finding';

/** EventBridge Scheduler is precise to a minute. */
const EDGE_MINUTES = 1;

/** A fixed lead time must be long enough for the nodes, current and recorded. */
export function* checkLeadTimes(facts: KubeFacts, { config }: Context): Findings {
  for (const headroom of config.headrooms) {
    const { name, autoLead, windows, leadMinutes } = headroom;
    const seconds = autoLead || windows.length === 0 ? [] : secondsOf(headroom, facts);
    const took = Math.ceil(percentile95(seconds) / 60);
    const needed = took + EDGE_MINUTES;
    if (seconds.length >= ENOUGH_NODES && leadMinutes < needed)
      yield warning(
        `headroom of ${name}`,
        'has a leadTime that is too short for its nodes, so windows open before they are ready',
        `leadTime ${spanText(leadMinutes)}; 95 % of ${seconds.length} nodes took up to ${spanText(took)}, and a schedule can fire a minute late`,
        `write leadTime: auto, or leadTime: ${formatDuration(needed * 60)}`,
      );
  }
}

function secondsOf(pool: HeadroomConfig, { capacity, headrooms }: KubeFacts): readonly number[] {
  const current = readOr(headrooms, []).find(({ name }) => name === headroomName(pool.name));
  const { nodeStarts = {} } = current ? keptFor(readStored(current), pool).record : {};
  const claims = capacity.filter((one) => one.headroom === pool.name).flatMap((one) => one.claims);
  const starts = claims.map((claim) => startOf(pool.nodePool, claim));
  return Object.values(withStarts(nodeStarts, starts));
}

function startOf(nodePool: string, { name, createdAt, conditions }: ClaimFacts): NodeStart {
  const done = conditions.find(({ type, status }) => type === 'Initialized' && status === 'True');
  const initializedAt = Date.parse(done?.lastTransitionTime ?? '');
  // NodeClaims of one NodePool differ in the generated end of their names.
  return { nodePool, id: name.slice(-5), createdAt, ...(done && { initializedAt }), deleting: false };
}
