import { rebalanceRecommendationEvent, spotInterruptionEvent } from '../../../lab/simulator/bus/aws-events';

const ORIGIN = { region: 'ap-northeast-2', account: '111122223333' };

/** Sources besides spot and rebalance: what AWS sends, and what it means for the instance. */
const OTHERS: readonly { readonly cause?: Cause; readonly raw: (instanceId: string) => object }[] = [
  {
    cause: 'capacityReservation',
    raw: (id) => ec2('EC2 Capacity Reservation Instance Interruption Warning', { 'instance-id': id }),
  },
  { cause: 'stateChange', raw: (id) => stateChange(id, 'shutting-down') },
  { raw: (id) => stateChange(id, 'running') },
  { cause: 'health', raw: (id) => health(id, 'EC2', 'scheduledChange', 'open') },
  { raw: (id) => health(id, 'EC2', 'scheduledChange', 'closed') },
  { raw: (id) => health(id, 'EC2', 'issue', 'open') },
  { raw: (id) => health(id, 'EBS', 'scheduledChange', 'open') },
];

/** The event that AWS sends before it reclaims an instance, and some that look like it. */
export function noticeOf(instanceId: string, at: number, draw: number): unknown {
  if (draw < 0.5) return spotInterruptionEvent(ORIGIN, instanceId, at);
  if (draw < 0.7) return rebalanceRecommendationEvent(ORIGIN, instanceId, at);
  const other = OTHERS[Math.floor(((draw - 0.7) / 0.3) * OTHERS.length)] ?? OTHERS[0];
  return { ...ORIGIN, time: new Date(at).toISOString(), ...other?.raw(instanceId) };
}

type Cause = 'spot' | 'rebalance' | 'capacityReservation' | 'stateChange' | 'health';

export interface Notice {
  readonly instanceId: string;
  readonly at: number;
  readonly cause: Cause;
}

interface Raw {
  readonly time: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The instance, the time and the cause of a notice; `undefined` if the message is not a notice. */
export function readNotice(body: string): Notice | undefined {
  try {
    const raw = JSON.parse(body) as Raw;
    const instanceId = String(raw.detail['instance-id'] ?? instanceOf(raw.detail));
    const cause = causeOf(raw, instanceId);
    return cause && { instanceId, at: Date.parse(raw.time), cause };
  } catch {
    return undefined;
  }
}

function causeOf(raw: Raw, instanceId: string): Cause | undefined {
  const type = raw['detail-type'];
  if (type.includes('Spot')) return 'spot';
  if (type.includes('Rebalance')) return 'rebalance';
  const detail = JSON.stringify(raw.detail);
  return OTHERS.find((one) => JSON.stringify((one.raw(instanceId) as Raw).detail) === detail)?.cause;
}

function instanceOf({ affectedEntities }: Raw['detail']): string {
  return (affectedEntities as readonly { readonly entityValue: string }[])[1]?.entityValue ?? '';
}

function ec2(type: string, detail: object): object {
  return { source: 'aws.ec2', 'detail-type': type, detail };
}

function stateChange(instanceId: string, state: string): object {
  return ec2('EC2 Instance State-change Notification', { 'instance-id': instanceId, state });
}

/** A volume is announced beside the instance. */
function health(instanceId: string, service: string, eventTypeCategory: string, statusCode: string): object {
  const affectedEntities = [{ entityValue: 'vol-01' }, { entityValue: instanceId }];
  const detail = { service, eventTypeCategory, statusCode, affectedEntities };
  return { source: 'aws.health', 'detail-type': 'AWS Health Event', detail };
}
