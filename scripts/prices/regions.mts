// npx tsx scripts/prices/regions.mts FILE DATE writes shared/pricing/regions.json: what instance families cost in each region, as factors of
// us-east-1's list price, and what spot costs, as a share of list price. FILE is catalogs/v7/aws/vms.csv of skypilot-org/skypilot-catalog.
import { readFileSync, writeFileSync } from 'node:fs';

const HOME = 'us-east-1';
const OUT = 'shared/pricing/regions.json';
const USUAL = /^[cmr][5-9][a-z]*(-flex)?\.(?!metal)/;

const [file = '', date = ''] = process.argv.slice(2);
if (!/^\d{4}-\d\d-\d\d$/.test(date))
  throw new Error('write the file and the date of its commit, such as vms.csv 2026-08-22');
const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
const columns = head.split(',');
const offers = lines.map((line) => {
  const cells = line.split(',');
  const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
  return {
    region: cell('Region'),
    type: cell('InstanceType'),
    price: Number(cell('Price')),
    spot: Number(cell('SpotPrice')),
  };
});
const priced = offers.filter(({ price }) => price > 0);
const home = new Map(priced.flatMap(({ region, type, price }) => (region === HOME ? [[type, price] as const] : [])));
const regions = [...new Set(priced.map(({ region }) => region))].sort();
const rows = regions.map((region) => `    ${JSON.stringify(region)}: ${JSON.stringify(rowOf(region))}`);
writeFileSync(
  OUT,
  `{
  "about": "By region: the share of list price in percent that spot costs (the median of c, m and r from generation 5, all zones), and by family the factor of us-east-1's list price. Written by scripts/prices/regions.mts.",
  "origin": "ratios of catalogs/v7/aws/vms.csv in github.com/skypilot-org/skypilot-catalog, which reads AWS' own APIs; that repository names no licence, and none of its prices is copied",
  "date": "${date}",
  "regions": {
${rows.join(',\n')}
  }
}
`,
);

function rowOf(region: string): { spot: number; families: Record<string, number> } {
  const here = priced.filter((offer) => offer.region === region);
  const spots = here.flatMap(({ type, price, spot }) => (spot > 0 && USUAL.test(type) ? [spot / price] : []));
  const factors = new Map<string, number[]>();
  for (const { type, price } of new Map(here.map((offer) => [offer.type, offer])).values()) {
    const [family = ''] = type.split('.');
    const there = home.get(type);
    if (there) factors.set(family, [...(factors.get(family) ?? []), price / there]);
  }
  const families = [...factors].map(([family, all]): [string, number] => [
    family,
    Math.round(median(all) * 1_000) / 1_000,
  ]);
  return {
    spot: Math.round(median(spots) * 100),
    families: Object.fromEntries(families.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
