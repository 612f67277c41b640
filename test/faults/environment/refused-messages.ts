import { aheadOf, aheadText } from './announcements';
import type { Invocation } from './invocation';

const [HOUR, DAY] = [3_600_000, 86_400_000];

/** A message that no retry can fix, and what the log has to say about it. */
interface Refused {
  readonly body: string;
  /** By the clock of the function, where the text names it. */
  readonly says: string | ((clock: number) => string);
  /** Only where the config names the event. */
  readonly isPeak?: true;
}

const SPOT = 'EC2 Spot Instance Interruption Warning';

function notices(now: number): readonly Refused[] {
  const spot = (more: object) => JSON.stringify({ source: 'aws.ec2', 'detail-type': SPOT, ...more });
  const time = new Date(now).toISOString();
  return [
    { body: '', says: 'message is not JSON' },
    { body: '{', says: 'message is not JSON' },
    { body: 'null', says: 'event has no object at the top, got null' },
    { body: '[]', says: 'event has no object at the top, got []' },
    { body: spot({}), says: 'event has no time, got nothing' },
    { body: spot({ time: 'soon', detail: {} }), says: 'event has no time, got "soon"' },
    { body: spot({ time, detail: 7 }), says: 'event has no object at detail, got 7' },
    { body: spot({ time, detail: {} }), says: 'event has no text at detail.instance-id, got nothing' },
    {
      body: spot({ time, detail: { 'instance-id': 'vol-01' } }),
      says: 'event has no instance id at detail.instance-id, got "vol-01"',
    },
    { body: JSON.stringify({ source: 7, 'detail-type': SPOT }), says: 'event has no text at event.source, got 7' },
  ];
}

function announcements(now: number): readonly Refused[] {
  const iso = (at: number) => new Date(Math.floor(at / 1_000) * 1_000).toISOString();
  const announced = { headroom: 'sale', event: 'campaign', cancel: false };
  const detail = { id: 'x', from: iso(now), to: iso(now + HOUR) };
  const event = { time: iso(now), detail };
  const whole = { announced, ingestedAt: iso(now), event };
  const refused = (more: object, says: Refused['says']) => ({ body: JSON.stringify({ ...whole, ...more }), says });
  const peak = (more: object, says: string) => ({
    ...refused({ event: { ...event, detail: { ...detail, ...more } } }, `event needs ${says}`),
    isPeak: true as const,
  });
  const [old, far, long] = [iso(now - 25 * HOUR), iso(now + 32 * DAY), iso(now + 8 * DAY)];
  return [
    { body: '{', says: 'message is not JSON' },
    refused({ announced: undefined }, 'event has no object at announced, got nothing'),
    refused({ announced: { ...announced, headroom: 7 } }, 'event has no text at announced.headroom, got 7'),
    refused({ announced: { ...announced, event: '' } }, 'event has no text at announced.event, got ""'),
    refused({ event: undefined }, 'event has no object at event, got nothing'),
    refused({ event: { ...event, time: 'soon' } }, 'event has no time at event.time, got "soon"'),
    refused({ ingestedAt: undefined }, 'event has no text at the top.ingestedAt, got nothing'),
    ...impossibleTimes((time) => ({ event: { ...event, time } }), 'event.time').map((one) => refused(...one)),
    ...impossibleTimes((ingestedAt) => ({ ingestedAt }), 'the top.ingestedAt').map((one) => refused(...one)),
    refused({ ingestedAt: AHEAD, event: { ...event, time: AHEAD } }, (clock) => aheadOf('event.time', AHEAD, clock)),
    refused({ event: { ...event, time: old } }, `event is of ${old}, more than 24 hours old; send a newer one`),
    peak({ from: undefined }, 'a time with its zone, such as "2026-11-27T09:30:00Z", at $.detail.from, got nothing'),
    peak(
      { to: '2026-11-27 09:30' },
      'a time with its zone, such as "2026-11-27T09:30:00Z", at $.detail.to, got "2026-11-27 09:30"',
    ),
    peak({ to: iso(now) }, `a time after $.detail.from at $.detail.to, got "${iso(now)}"`),
    peak({ from: far, to: iso(now + 33 * DAY) }, `a time within 31 days at $.detail.from, got "${far}"`),
    peak({ to: long }, `a time within 7 days after $.detail.from at $.detail.to, got "${long}"`),
    peak({ from: ZERO_TIME, to: '0001-01-02T00:00:00Z' }, `a time after 1970 at $.detail.from, got "${ZERO_TIME}"`),
    peak({ from: '1969-12-31T23:59:59Z' }, 'a time after 1970 at $.detail.from, got "1969-12-31T23:59:59Z"'),
    peak({ to: NO_DAY }, `a day of the calendar at $.detail.to, got "${NO_DAY}"`),
    peak({ id: [] }, 'text or a number at $.detail.id, got []'),
    peak({ id: '' }, 'text or a number at $.detail.id, got ""'),
  ];
}

const [AHEAD, ZERO_TIME, NO_DAY] = ['2099-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '2026-02-30T09:00:00Z'];

/** Times that no function may believe. */
function impossibleTimes(event: (time: string) => object, path: string): [object, Refused['says']][] {
  return [
    [event(AHEAD), (clock) => aheadOf(path, AHEAD, clock)],
    [event(ZERO_TIME), `event has no time after 1970 at ${path}, got "${ZERO_TIME}"`],
    [event(NO_DAY), `event has no day of the calendar at ${path}, got "${NO_DAY}"`],
  ];
}

/** What was sent; a message is delivered later, and more than once. */
export class RefusedMessages {
  private readonly sent = new Map<string, Refused>();

  notice(now: number, draw: number): string {
    return this.pick(notices(now), draw);
  }

  announcement(now: number, draw: number): string {
    return this.pick(announcements(now), draw);
  }

  /** Every message that must be refused is logged with its reason, and no other. */
  wrongLog({ functionName, raw, logged, config, counted, receivedAt = 0 }: Invocation): string | undefined {
    if (functionName !== 'interruption' && functionName !== 'announce') return undefined;
    const { Records } = raw as { readonly Records: readonly { readonly body: string }[] };
    const isNamed = config.headrooms.some(({ events }) => events?.some(({ name }) => name === 'campaign'));
    const refused = Records.flatMap(({ body }): Refused | readonly Refused[] => {
      const says = functionName === 'announce' ? aheadText(body, receivedAt) : undefined;
      return this.sent.get(body) ?? (says === undefined ? [] : [{ body, says }]);
    }).filter(({ isPeak }) => !isPeak || isNamed);
    const right = refused.map(
      ({ body, says }) => `${typeof says === 'string' ? says : says(receivedAt)}: ${body.slice(0, 500)}`,
    );
    const lines = logged.filter(({ message }) => message === 'event rejected');
    const said = lines.map(({ fields }) => `${fields.reason}: ${fields.event}`);
    if (said.join('\n') !== right.join('\n'))
      return `logged as rejected ${JSON.stringify(said)}, and ${JSON.stringify(right)} is right`;
    const dropped = logged.filter(({ message }) => message === 'announced peaks dropped');
    const rejected = right.length + dropped.reduce((sum, { fields }) => sum + (fields.peaks as string[]).length, 0);
    const count = counted.get('rejectedEvents') ?? 0;
    return count === rejected ? undefined : `counted ${count} of ${rejected} rejected`;
  }

  private pick(all: readonly Refused[], draw: number): string {
    const one = all[Math.floor(draw * all.length)] as Refused;
    this.sent.set(one.body, one);
    return one.body;
  }
}
