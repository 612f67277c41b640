import { configOf } from './synthesized';

/** Every kind of trigger, on two NodePools. */
export const DEMO = `
cluster: { name: demo, region: eu-central-1 }
nodePools:
  service:
    max: 20
    leadTime: 5m
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 6 }
      - { name: sale, timezone: Asia/Seoul, from: 2026-11-27T00:02, to: 2026-11-28T00:00, desiredReplicas: 9 }
      - { name: past, timezone: Asia/Seoul, from: 2025-11-27T08:00, to: 2025-11-28T00:00, desiredReplicas: 9 }
    alarms:
      - { alarmName: queue-deep, add: 3 }
      - name: p95-high
        metric: { namespace: AWS/ApplicationELB, name: TargetResponseTime, dimensions: { LoadBalancer: app/x }, statistic: p95, period: 30s, evaluationPeriods: 2 }
        threshold: "> 0.8"
        add: 2
    interruptions: { on: [spot, health, stateChange] }
  ci:
    max: 8
    leadTime: 5m
    schedules:
      - { name: builds, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 0 18 * * MON-FRI, desiredReplicas: 4 }
      - { name: leap, timezone: UTC, start: '*/4 0 29 2 *', end: 0 6 29 2 *, desiredReplicas: 4 }
    alarms:
      - { alarmName: queue-deep, add: 1 }
    interruptions: { on: [rebalance, spot] }
`;

export const demo = configOf(DEMO);
export const minimal = configOf(`
cluster: { name: demo, region: eu-central-1 }
nodePools:
  service: { max: 4 }
`);
