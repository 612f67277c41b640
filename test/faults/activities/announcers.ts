import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { type Announcement, announcementBody } from '../environment/announcements';
import type { Deliveries } from '../environment/deliveries';
import type { FaultPlan } from '../environment/fault-plan';
import { pick } from '../environment/pick';
import type { RefusedMessages } from '../environment/refused-messages';
import type { Stack } from '../environment/stack';
import type { World } from '../environment/world';

const [SECOND, MINUTE] = [1_000, 60_000];
const MOST_MESSAGES = 14;
export interface AnnouncersOptions {
  readonly world: World;
  readonly plan: FaultPlan;
  /** Of its own, so that scenarios without announced peaks stay as they are. */
  readonly random: Random;
  readonly stack: Stack;
  readonly deliveries: Deliveries;
  readonly refused: RefusedMessages;
  readonly until: number;
  readonly trace: (line: () => string) => void;
}

/** Systems that announce peaks, move them and take them back, some of them before they are announced. */
export function startAnnouncers(options: AnnouncersOptions): void {
  const { world, random, until } = options;
  // Sometimes more keys than peaks are kept.
  const keys = Array.from({ length: random() < 0.3 ? 16 : 5 }, (_, index) => `c${index}`);
  const at = (work: () => void) => world.clock.at(world.now + Math.floor(random() * (until - world.now)), work);
  for (let count = 3 + Math.floor(random() * MOST_MESSAGES); count > 0; count -= 1)
    at(() => send(options, random() < 0.7 ? named(options, pick(keys, random)) : imported(options)));
  if (keys.length > 5)
    for (const event of ['campaign', 'flash'] as const)
      at(() => keys.forEach((key) => void send(options, { ...campaign(options, key, 'announced'), event })));
  for (let count = 0; count < 2; count += 1) at(() => sendTwins(options, pick(keys, random)));
  for (let count = 0; count < 3; count += 1)
    at(() => options.deliveries.announce(options.stack, options.refused.announcement(world.now, random())));
}

/** Two messages about one peak, of the same second. */
function sendTwins(options: AnnouncersOptions, key: string): void {
  const [first, second] = [campaign(options, key, 'announced'), campaign(options, key)];
  for (const one of [first, { ...second, time: first.time }]) send(options, one);
}

function send({ world, plan, random, deliveries, stack, trace }: AnnouncersOptions, message: Announcement): void {
  const ahead = plan.happens('event dated ahead') ? Math.floor(random() * 10 * MINUTE) : 0;
  const dated = { ...message, time: message.time + ahead };
  plan.counts.add(message.cancel ? 'peak taken back' : 'peak announced');
  trace(() => `announces ${JSON.stringify(dated)} at ${new Date(world.now).toISOString()}`);
  deliveries.announce(stack, announcementBody(dated));
}

/** In whole seconds, as EventBridge has them; a cancellation may be of the second of its announcement. */
function campaign({ world, random }: AnnouncersOptions, key: string, kind?: 'announced'): Announcement {
  const now = Math.floor(world.now / SECOND) * SECOND;
  const time = now - Math.floor(random() * 3) * 10 * SECOND;
  const common = { event: 'campaign' as const, key, time, ingestedAt: now };
  if (!kind && random() < 0.3) return { ...common, cancel: true };
  const from = now + Math.floor((random() * 8 - 3) * 6) * 10 * SECOND;
  return { ...common, cancel: false, from, to: from + (1 + Math.floor(random() * 12)) * 30 * SECOND };
}

/** A campaign, or what a later deploy calls one. */
function named(options: AnnouncersOptions, key: string): Announcement {
  return { ...campaign(options, key), event: options.random() < 0.3 ? 'flash' : 'campaign' };
}

function imported({ world, random }: AnnouncersOptions): Announcement {
  const now = Math.floor(world.now / SECOND) * SECOND;
  return { event: 'import', key: '', cancel: random() < 0.2, time: now, ingestedAt: now };
}
