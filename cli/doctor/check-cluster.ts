import type { Config } from '../../shared/core/config/config';
import type { Read } from '../access/read';
import type { Commands } from '../input/commands';
import { checkClock, checkRights } from './checks/check-access';
import { checkAdmission, unreadAdmission } from './checks/check-admission';
import { checkControllers } from './checks/check-controllers';
import { checkFloors } from './checks/check-floors';
import { checkHeadrooms } from './checks/check-headrooms';
import { checkImages } from './checks/check-images';
import { checkLeadTimes } from './checks/check-lead-times';
import { checkLive } from './checks/check-live';
import { checkNamespace } from './checks/check-namespace';
import { checkNodePools } from './checks/check-node-pools';
import { checkPriority } from './checks/check-priority';
import type { Checkup, Finding } from './checks/finding';
import type { KubeFacts } from './facts/kube-facts';

/** Every check of a cluster, area by area. */
export function checkCluster(
  facts: KubeFacts,
  config: Config,
  { now, commands }: { readonly now: number; readonly commands: Commands },
): readonly Checkup[] {
  const { nodePools } = config;
  const { floors, live } = facts;
  return [
    checkup('permissions of the functions', [facts.missingRights], () => checkRights(facts, config, commands)),
    checkup('clock', [facts.skewMs], () => checkClock(facts)),
    checkup('PriorityClasses', [facts.priorityClasses], () => checkPriority(facts, config, commands)),
    checkup('Karpenter', [facts.karpenter, facts.clusterAutoscaler], () => checkControllers(facts, config, commands)),
    checkup('NodePools', [facts.nodePools], () => checkNodePools(facts, nodePools, commands)),
    checkup('namespace', [facts.namespace, facts.autoscalers, facts.budgets, facts.quotas, facts.networkPolicies], () =>
      checkNamespace(facts, config, commands),
    ),
    checkup('lead times', [facts.headrooms], () => checkLeadTimes(facts, nodePools)),
    checkup('pause images', [], () => checkImages(nodePools)),
    checkup('admission of pause pods', [unreadAdmission(facts, config)], () => checkAdmission(facts, config)),
    checkup('headroom', [facts.headrooms], () => checkHeadrooms(facts, config, { now, commands })),
    ...(live
      ? [
          checkup('live schedules', [live], () =>
            checkLive(live.ok ? live.value : undefined, config, { now, commands }),
          ),
        ]
      : []),
    ...(floors
      ? [checkup('floors', [floors.limitRanges, floors.nodes], () => checkFloors(floors, config, commands))]
      : []),
  ];
}

function checkup(area: string, reads: readonly Read<unknown>[], check: () => readonly Finding[]): Checkup {
  const unread = reads.flatMap((read) => (read.ok ? [] : [read.why]));
  return { area, findings: check(), ...(unread.length > 0 && { unread: unread.join('; ') }) };
}
