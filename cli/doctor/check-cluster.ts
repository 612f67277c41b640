import { checkClock, checkRights } from './checks/check-access';
import { checkAdmission, unreadAdmission } from './checks/check-admission';
import { checkControllers } from './checks/check-controllers';
import { checkFloors } from './checks/check-floors';
import { checkHeadrooms } from './checks/check-headrooms';
import { checkImages } from './checks/check-images';
import { checkLeadTimes } from './checks/check-lead-times';
import { checkLike } from './checks/check-like';
import { checkLive } from './checks/check-live';
import { checkNamespace } from './checks/check-namespace';
import { checkNodePools } from './checks/check-node-pools';
import { checkPriority } from './checks/check-priority';
import { type Checkup, type Context, checkup } from './checks/finding';
import type { KubeFacts } from './facts/read-cluster-facts';

export function checkCluster(facts: KubeFacts, context: Context): readonly Checkup[] {
  const { floors, live } = facts;
  const ofNamespace = [facts.namespace, facts.autoscalers, facts.budgets, facts.quotas, facts.networkPolicies];
  return [
    checkup('permissions of the functions', [facts.missingRights], checkRights(facts, context)),
    checkup('clock', [facts.skewMs], checkClock(facts)),
    checkup('PriorityClasses', [facts.priorityClasses], checkPriority(facts, context)),
    checkup('Karpenter', [facts.karpenter], checkControllers(facts, context)),
    checkup('NodePools', [facts.nodePools], checkNodePools(facts, context)),
    checkup('namespace', ofNamespace, checkNamespace(facts, context)),
    checkup('lead times', [facts.headrooms], checkLeadTimes(facts, context)),
    checkup('pause images', [], checkImages(context)),
    checkup('admission of pause pods', [unreadAdmission(facts, context)], checkAdmission(facts, context)),
    checkup('headroom', [facts.headrooms], checkHeadrooms(facts, context)),
    ...(live ? [checkup('live schedules', [live], checkLive(live.ok ? live.value : undefined, context))] : []),
    ...(facts.like.length > 0
      ? [
          checkup(
            'workloads',
            facts.like.map(({ workload }) => workload),
            checkLike(facts, context),
          ),
        ]
      : []),
    ...(floors ? [checkup('floors', [floors.limitRanges, floors.nodes], checkFloors(floors, context))] : []),
  ];
}
