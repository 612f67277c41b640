import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { Invocation } from '../environment/invocation';
import { readNotice } from '../environment/notices';
import type { World } from '../environment/world';
import { type AlarmChange, BELIEVED_AHEAD_MS, type Requested } from './expected-record';

const TICK_AHEAD_MS = 90_000;
const MINUTE = 60_000;

type Raw = Readonly<Record<string, unknown>>;

/** The time that an invocation decides for: its clock, or its tick's time if that is a little ahead. */
export function decisionTime({ raw, receivedAt = Number.NaN }: Invocation): number {
  const { source, time } = (raw ?? {}) as Raw;
  const tick = String(source).startsWith('headstart.') ? Date.parse(String(time)) : Number.NaN;
  return tick > receivedAt && tick <= receivedAt + TICK_AHEAD_MS ? tick : receivedAt;
}

/** What an invocation's event asks of one pool. `undefined` if that depends on when exactly it read the NodeClaims. */
export function requestedBy(invocation: Invocation, pool: HeadroomConfig, world: World): Requested | undefined {
  const { raw, receivedAt = 0, functionName } = invocation;
  const event = raw as Raw;
  if (functionName === 'inflate') return { ...requestedOverride(event, pool, receivedAt), surges: [] };
  const alarm = functionName === 'alarm' ? alarmChange(event) : undefined;
  if (functionName !== 'interruption') return { ...(alarm && { alarm }), surges: [] };
  const surges = [];
  for (const { body } of event.Records as readonly { readonly body: string }[]) {
    const notice = readNotice(body);
    const lived = notice && world.lifeOf(notice.instanceId);
    if (!lived || lived.nodePool !== pool.nodePool || !pool.interruptions?.on.includes(notice.cause)) continue;
    const wasThere = lived.from < invocation.startedAt && lived.until > world.now;
    const wasNot = lived.from > world.now || lived.until < invocation.startedAt;
    if (!wasThere && !wasNot) return undefined;
    const at = notice.at <= receivedAt + BELIEVED_AHEAD_MS ? notice.at : receivedAt;
    const until = new Date(at + pool.interruptions.holdSeconds * 1_000).toISOString();
    if (wasThere) surges.push({ instanceId: notice.instanceId, cause: notice.cause, until });
  }
  return { surges };
}

function alarmChange({ detail }: Raw): AlarmChange {
  const { alarmName, state, previousState } = detail as {
    readonly alarmName: string;
    readonly state: { readonly value: string; readonly timestamp: string };
    readonly previousState?: { readonly value: string };
  };
  const previous = previousState && { previous: previousState.value };
  return { alarmName, state: state.value, at: Date.parse(state.timestamp), ...previous };
}

/** The override or release that somebody sends. */
export function requestedOverride(event: unknown, pool: HeadroomConfig, receivedAt: number): Omit<Requested, 'surges'> {
  const raw = event as Raw;
  if (raw.headroom !== pool.name && raw.headroom !== '*') return {};
  const sent = raw.at === undefined ? receivedAt : Date.parse(String(raw.at));
  const at = sent <= receivedAt + BELIEVED_AHEAD_MS ? sent : receivedAt;
  const [by, reason] = [String(raw.by), String(raw.reason)];
  if (raw.release === true) return { released: { at: new Date(at).toISOString(), by, reason } };
  const mode = (['atLeast', 'exactly', 'addNodes'] as const).find((one) => raw[one] !== undefined) ?? 'atLeast';
  const until = new Date(at + Number.parseInt(String(raw.for), 10) * MINUTE).toISOString();
  const [, share] = /^(\d+)%$/.exec(String(raw[mode])) ?? [];
  const size = share === undefined ? { replicas: Number(raw[mode]) } : { replicas: 0, share: Number(share) };
  return { override: { mode, ...size, at: new Date(at).toISOString(), until, by, reason } };
}
