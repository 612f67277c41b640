import type { Config } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/load';
import { Session, type SessionOptions } from '../../../simulator/run/session';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A Monday. */
export const AFTER = Date.parse('2026-03-02T00:00:00Z');

export function configOf(text: string): Config {
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

export const SIMPLE = configOf(`
cluster: { name: my-cluster, region: ap-northeast-2 }
nodePools:
  default:
    max: 8
    leadTime: 5m
    unit: { node: { cpu: 1, memory: 2Gi } }
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 6 }
`);

export const FULL = configOf(`
cluster: { name: my-cluster, region: ap-northeast-2 }
nodePools:
  service:
    max: 20
    base: 2
    leadTime: 5m
    unit: { node: { cpu: 1, memory: 2Gi } }
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 6 }
    alarms:
      - { alarmName: orders-high, add: 2, hold: 5m }
    interruptions: { surge: 1, max: 4, hold: 10m }
  cicd:
    max: 10
    leadTime: 2m
    unit: { slice: { cpu: 500m, memory: 1Gi } }
    schedules:
      - { name: builds, timezone: Asia/Seoul, start: 0 12 * * *, end: 0 13 * * *, desiredReplicas: 8 }
    interruptions: { surge: 2, max: 4 }
`);

/** A session that is ready to run. */
export async function sessionOf(
  options: Pick<SessionOptions, 'config' | 'scenario'> & Partial<SessionOptions>,
): Promise<Session> {
  const session = new Session({ seed: 1, nodeDelaySeconds: 50, after: AFTER, keepAllDecisions: true, ...options });
  await session.begin();
  return session;
}
