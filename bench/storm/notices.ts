import { spotWarning } from '../../test/cluster/functions/events';

/** The notices of one storm, in the order in which they arrive. */
export interface Storm {
  readonly bodies: readonly string[];
  /** The instances of the cluster that are among them, each once. */
  readonly own: readonly string[];
  readonly foreign: number;
  readonly doubled: number;
  readonly malformed: number;
}

/** Beside the notices that count: so many of other clusters, so many that come a second time, so many that nobody can read. */
const SHARES = { foreign: 0.2, doubled: 0.2, malformed: 0.01 };

/** What arrives in a queue that is not an event, or not a whole one. */
const MALFORMED = [
  '',
  '{',
  '[]',
  'null',
  '{"source":"aws.ec2"}',
  '{"detail-type":"EC2 Spot Instance Interruption Warning"}',
];

/** A storm of spot notices; the same seed gives the same order. */
export function stormOf(own: readonly string[], at: number, seed: number): Storm {
  const count = (share: number) => Math.round(own.length * share);
  const notice = (id: string) => JSON.stringify(spotWarning(id, at));
  const foreign = Array.from({ length: count(SHARES.foreign) }, (_, index) => notice(`i-0f${hex(index)}`));
  const doubled = own.slice(0, count(SHARES.doubled)).map(notice);
  const malformed = Array.from(
    { length: count(SHARES.malformed) },
    (_, index) => MALFORMED[index % MALFORMED.length] ?? '',
  );
  const all = [...own.map(notice), ...foreign, ...doubled, ...malformed];
  return {
    bodies: shuffled(all, seed),
    own,
    foreign: foreign.length,
    doubled: doubled.length,
    malformed: malformed.length,
  };
}

/** The id of the instance behind the n-th NodeClaim. */
export function instanceId(index: number): string {
  return `i-0c${hex(index)}`;
}

function hex(index: number): string {
  return index.toString(16).padStart(15, '0');
}

export function shuffled<T>(all: readonly T[], seed: number): T[] {
  const next = randomFrom(seed);
  const order = all.map((value) => ({ value, key: next() }));
  return order.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

/** Mulberry32: small, and good enough for an order. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
