// npx tsx scripts/prices/regions.mts writes shared/pricing/regions.json: what each region charges, as factors of us-east-1's
// list price, and what spot costs, as a share of list price. The data of ec2instances.info comes as a Go module.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MODULE = 'github.com/cristim/ec2-instances-info@v0.0.0-20250528091325-32acf84f42eb';
const DATA = 'data/instances.json';
const OUT = 'shared/pricing/regions.json';
const HOME = 'us-east-1';
const REGION = /^[a-z]{2}-[a-z]+-\d$/;
const USUAL = /^[cmr][5-9][a-z]*(-flex)?\.(?!metal)/;
/** Families whose factors differ by less share one. */
const TOLERANCE = 0.05;

interface Offer {
  readonly ondemand?: string;
  /** AWS' Spot Instance Advisor: what spot saved on average in the last 30 days. */
  readonly pct_savings_od?: number | string | null;
}
interface InstanceType {
  readonly instance_type: string;
  readonly pricing: Readonly<Record<string, { readonly linux?: Offer }>>;
}

const { Dir } = JSON.parse(
  execFileSync('go', ['mod', 'download', '-json', MODULE], { encoding: 'utf8', cwd: tmpdir() }),
);
const types: readonly InstanceType[] = JSON.parse(readFileSync(join(Dir, DATA), 'utf8'));
const [, date = ''] = /-(\d{8})\d{6}-/.exec(MODULE) ?? [];
/** How wrong each price is by its factor. */
const wrong: number[] = [];
const regions = [...new Set(types.flatMap(({ pricing }) => Object.keys(pricing)))].filter((one) => REGION.test(one));
const rows = regions.sort().map((region) => `    ${JSON.stringify(region)}: ${JSON.stringify(rowOf(region))}`);
writeFileSync(
  OUT,
  `{
  "about": "By region: the share of list price in percent that spot costs (median of c, m and r from generation 5), and the factors of us-east-1's list price with the families that each is for, the region's usual one first. Written by scripts/prices/regions.mts.",
  "origin": "ratios of ${DATA} in ${MODULE}: data of ec2instances.info, MIT, Copyright (c) 2013 Garret Heaton (powdahound.com)",
  "date": "${date.replace(/(....)(..)(..)/, '$1-$2-$3')}",
  "regions": {
${rows.join(',\n')}
  }
}
`,
);
console.log(
  `${OUT}: ${wrong.filter((by) => by <= TOLERANCE).length} of ${wrong.length} prices within 5 %, worst ${Math.max(...wrong)}`,
);
execFileSync('npx', ['biome', 'format', '--write', OUT], { stdio: 'inherit' });

function rowOf(region: string): { spot: number; factors: [number, string][] } {
  const offers = types.flatMap(({ instance_type: type, pricing }) => {
    const [here, home] = [pricing[region]?.linux, pricing[HOME]?.linux].map((one) => Number(one?.ondemand ?? 0));
    return here && home ? [{ type, factor: here / home, saved: Number(pricing[region]?.linux?.pct_savings_od) }] : [];
  });
  const spots = offers.flatMap(({ type, saved }) => (saved > 0 && USUAL.test(type) ? [100 - saved] : []));
  const familyOf = (type: string) => type.slice(0, type.indexOf('.'));
  const factors = [...new Set(offers.map(({ type }) => familyOf(type)))].map((family) => {
    const own = offers.filter(({ type }) => familyOf(type) === family);
    return { family, factor: median(own.map(({ factor }) => factor)) };
  });
  const groups = grouped(factors);
  for (const { type, factor } of offers) {
    const [own = 1] = groups.find(([, names]) => names.split(' ').includes(familyOf(type))) ?? [];
    wrong.push(Math.abs(own / factor - 1));
  }
  return { spot: Math.round(median(spots)), factors: groups };
}

/** The largest group of families that one factor is good for, then the largest of the others, and so on. */
function grouped(left: readonly { readonly family: string; readonly factor: number }[]): [number, string][] {
  const isNear = (a: number, b: number) => Math.max(a / b, b / a) <= 1 + TOLERANCE;
  const groups = left.map(({ factor }) => left.filter((one) => isNear(one.factor, factor)));
  const [largest] = groups.sort((a, b) => b.length - a.length);
  if (!largest) return [];
  // In the middle, so that it is wrong by as little as can be; rounding is not to make it wrong by more.
  const factor = Math.round(median(largest.map((one) => one.factor)) * 1_000) / 1_000;
  const own = left.filter((one) => isNear(one.factor, factor));
  const names = own.map(({ family }) => family).sort();
  return [[factor, names.join(' ')], ...grouped(left.filter((one) => !own.includes(one)))];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
