import { type Random, seededRandom, seedFor } from '../../deterministic/seeded-random';

/** The characters of generated names in Kubernetes: without vowels, so that they form no words. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const HEX = '0123456789abcdef';

/** Realistic names, ids and addresses, the same for the same seed. */
export class Names {
  private readonly suffixes: Random;
  private readonly uids: Random;
  private pods = 0;
  private nodes = 0;

  constructor(seed: number) {
    this.suffixes = seededRandom(seedFor(seed, 'names'));
    this.uids = seededRandom(seedFor(seed, 'uids'));
  }

  readonly suffix = (): string => draw(this.suffixes, LETTERS, 5);

  readonly uid = (): string => {
    const hex = draw(this.uids, HEX, 32);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };

  instanceId(): string {
    return `i-0${draw(this.uids, HEX, 16)}`;
  }

  /** An address of the simulated VPC; addresses repeat after 60,000. */
  podAddress(): string {
    this.pods += 1;
    return `10.1.${octets(this.pods)}`;
  }

  nodeAddress(): string {
    this.nodes += 1;
    return `10.0.${octets(this.nodes)}`;
  }
}

function draw(random: Random, letters: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += letters[Math.floor(random() * letters.length)];
  return text;
}

function octets(count: number): string {
  const place = count % 60_000;
  return `${Math.floor(place / 240)}.${(place % 240) + 4}`;
}
