import { formatDuration, spanText } from '../../../shared/core/basics/duration';
import { headroomName } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { togetherText } from '../../../shared/core/config/unit-text';
import type { ClaimFacts } from '../../../shared/core/karpenter/capacity-facts';
import { leadTimeOf } from '../../../shared/core/occurrences/lead-time';
import { withStarts } from '../../../shared/core/occurrences/node-starts';
import type { NodeStart } from '../../../shared/core/ports/ports';
import { keptFor } from '../../../shared/core/record/kept-for';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../shared/core/record/record';
import { readStored } from '../../../shared/core/record/record-codec';
import { readOr } from '../../kube/read';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, type Findings, warning } from './finding';

/** EventBridge Scheduler is precise to a minute. */
const LEARNED = { minMinutes: 0, maxMinutes: Number.POSITIVE_INFINITY, heartbeatMinutes: 1 };

/** A fixed lead time must be long enough for the nodes, current and recorded. */
export function* checkLeadTimes(facts: KubeFacts, { config }: Context): Findings {
  for (const headroom of config.headrooms) {
    const { name, autoLead, windows, leadMinutes } = headroom;
    if (autoLead || windows.length === 0) continue;
    const record = recordOf(headroom, facts);
    const leads = windows.map((window) => leadTimeOf({ ...headroom, autoLead: LEARNED }, record, window));
    const [longest] = leads.sort((a, b) => b.minutes - a.minutes);
    const { minutes: needed = 0, nodes = 0, took, together = 0 } = longest ?? {};
    if (took !== undefined && leadMinutes < needed)
      yield warning(
        `headroom of ${name}`,
        'has a leadTime that is too short for its nodes, so windows open before they are ready',
        `leadTime ${spanText(leadMinutes)}; ${spanText(needed)} for ${togetherText(together, headroom.unit)}: 95 % of ${nodes} nodes took up to ${spanText(took)}, and a schedule can fire a minute late`,
        `write leadTime: auto, or leadTime: ${formatDuration(needed * 60)}`,
      );
  }
}

function recordOf(pool: HeadroomConfig, { capacity, headrooms }: KubeFacts): HeadroomRecord {
  const current = readOr(headrooms, []).find(({ name }) => name === headroomName(pool.name));
  const record = current ? keptFor(readStored(current), pool).record : EMPTY_RECORD;
  const claims = capacity.filter((one) => one.headroom === pool.name).flatMap((one) => one.claims);
  const starts = claims.map((claim) => startOf(pool.nodePool, claim));
  return { ...record, nodeStarts: withStarts(record.nodeStarts ?? {}, starts) };
}

function startOf(nodePool: string, { name, createdAt, conditions }: ClaimFacts): NodeStart {
  const done = conditions.find(({ type, status }) => type === 'Initialized' && status === 'True');
  const initializedAt = Date.parse(done?.lastTransitionTime ?? '');
  // NodeClaims of one NodePool differ in the generated end of their names.
  return { nodePool, id: name.slice(-5), createdAt, ...(done && { initializedAt }), deleting: false };
}
