import { readFileSync } from 'node:fs';
import { textWidth } from '../../../shared/drawing/text-width';
import { golden } from '../../golden/golden';
import { fakeTerminal, runCli } from '../run-cli';
import { inFolder, session, typed } from '../session';

const SHOP = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default:
    max: 8
    leadTime: 30m
    price: 0.1
    unit: {node: {cpu: 1, memory: 2Gi}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 2}
      - {name: sale, timezone: Asia/Seoul, from: "2026-12-01T08:00", to: "2026-12-01T20:00", desiredReplicas: 8}
`;
const CI = `
  ci:
    max: 40
    leadTime: 3m
    unit: {slice: {cpu: 500m, memory: 1Gi}}
    schedules:
      - {name: nightly <b>&, timezone: Europe/Berlin, start: 0 2 * * *, end: 0 5 * * *, desiredReplicas: 30}
      - {name: 매시간, timezone: UTC, start: 3 * * * *, end: 10 * * * *, desiredReplicas: 5}
`;
/** A floor that adds to the nodes that there are at lunch; `day` keeps some of its own. */
const FLOOR = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  web:
    max: 8
    leadTime: 30m
    price: 0.1
    unit: {floor: {cpu: 4, memory: 16Gi}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}
`;
/** Two zones, and a NodePool whose size never changes. */
const AXIS = `
cluster: {name: demo, region: ap-northeast-2}
nodePools:
  web:
    max: 8
    schedules: [{name: a-window-with-a-name, timezone: Asia/Seoul, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 6}]
  ci:
    max: 8
    schedules: [{name: ci, timezone: Europe/Berlin, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 6}]
  steady: {base: 2, max: 2, price: 0.1}
`;
inFolder({
  'axis.yaml': AXIS,
  'floor.yaml': FLOOR,
  'floor.day.yaml': FLOOR.replace('addNodes: 6', 'addNodes: 4').replace('max: 8', 'max: 8\n    base: 2'),
  'room.yaml': FLOOR.replace('floor: {cpu: 4', 'node: {cpu: 3').replace('addNodes', 'desiredReplicas'),
  'headroom.yaml': SHOP,
  'two.yaml': SHOP + CI,
  'two.staging.yaml': 'nodePools: {ci: {remove: true}}\n',
  'before.yaml': SHOP.replace('desiredReplicas: 2', 'desiredReplicas: 1').replace('max: 8', 'max: 9'),
});
const said = golden(`${__dirname}/plan.txt`);
/** A file that plan wrote. */
async function drawn(config: string, option: string, ...more: readonly string[]): Promise<string> {
  await runCli(['plan', '-c', config, option, 'drawn', ...more]);
  return readFileSync('drawn', 'utf8');
}
const narrow = () => fakeTerminal({ width: 60 });

describe('headstart plan of a floor', () => {
  test('draws a window that adds nodes as so many more than there are, and its cost as at most', async () => {
    said(await session(['plan -c floor.yaml', 'plan -c floor.day.yaml --json'], narrow));
  });

  test('compares what is added with what was added, and with a size in all, by the names of the config', async () => {
    said(await session(['floor.day.yaml', 'room.yaml'].map((file) => `plan -c floor.yaml --compare ${file}`)));
  });

  test('labels what is added', async () => {
    const text = await drawn('floor.yaml', '--html');
    expect(text).toMatch(/<rect class="added"[^>]*height="94"\/><text [^>]*>\+6<\/text>/);
    expect(text).toContain('lunch: +6');
    expect(text).toContain('adds at most 15 node-hours, $1.50');
  });
});

describe('headstart plan', () => {
  test('draws windows, lead time, size, changes and cost', async () => {
    said(await session(['plan', 'plan --json'], narrow));
  });

  test.each([40, 60, 80, 120, 400])('fits a terminal of %d columns', async (width) => {
    for (const file of ['two.yaml', 'floor.day.yaml']) {
      for (const length of ['6h', '24h', '7d', '31d']) {
        const { out } = await runCli(['plan', '-c', file, '--to', length], fakeTerminal({ width }));
        expect(Math.max(...out.split('\n').map(textWidth))).toBeLessThanOrEqual(width);
      }
    }
  });

  test('colours only where they are wanted, and says the same', async () => {
    const plain = await runCli(['plan', '-c', 'two.yaml']);
    const coloured = await runCli(['plan', '-c', 'two.yaml'], fakeTerminal({ colours: true }));
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    expect(plain.out).not.toMatch(escapes);
    expect(coloured.out).toMatch(escapes);
    const trimmed = (text: string) => text.replace(escapes, '').replace(/ +$/gm, '');
    expect(trimmed(coloured.out)).toBe(trimmed(plain.out));
  });

  test('reads --from and draws in the zone of --timezone', async () => {
    said(await typed('plan --from 2026-11-20 --timezone America/New_York'));
    const { out } = await runCli(['plan', '--from', '2026-11-20', '--timezone', 'America/New_York', '--json']);
    expect(JSON.parse(out).from).toBe('2026-11-20T05:00:00.000Z');
    const page = await drawn('headroom.yaml', '--html', '--timezone', 'America/New_York');
    expect(page).toContain('<summary>changes, in America/New_York</summary>');
  });

  test('compares with another config, and says which NodePool an overlay takes out', async () => {
    const compared = ['plan --compare before.yaml', 'plan -c two.yaml --compare two.yaml'];
    said(await session([...compared, 'plan -c two.yaml --env staging --compare two.yaml'], narrow));
  });

  test('writes a page that needs nothing else', async () => {
    said(await typed('plan -c two.yaml --compare before.yaml --html plan.html'));
    const text = readFileSync('plan.html', 'utf8');
    expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|url\(|@import|<link/);
    expect(text).toContain('prefers-color-scheme: dark');
    expect(text).toContain('lead time of lunch from Tue 17 Nov 11:00');
    expect(text).toContain('5 node-hours, $0.50');
    expect(text).not.toContain('<b>');
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    expect(text).toContain('class="before"');
  });

  describe('draws all NodePools on one time axis', () => {
    const draw = (option: string, ...more: readonly string[]) =>
      drawn('axis.yaml', option, '--from', '2026-11-17', ...more);

    const wide = async () => (await draw('--html')).replace(/<svg [^>]*class="narrow".*?<\/svg>/gs, '');

    test('with one left margin, in one time zone, that of the first of most windows', async () => {
      const text = await wide();
      const starts = [...text.matchAll(/class="edge" d="M([\d.]+) /g)].map(([, x]) => x);
      expect(starts).toHaveLength(2);
      expect(new Set(starts).size).toBe(1);
      expect(text.match(/>Asia\/Seoul<\/text>/g)).toHaveLength(2);
      expect(text).toContain('ci opens 16:00: 6 nodes');
      expect(text).not.toContain('>Europe/Berlin</text>');
    });

    test('with a line at every hour, and its label at the line', async () => {
      const ticks = [
        ...(await wide()).matchAll(
          /<line class="tick" x1="([\d.]+)"[^>]*><text class="soft" x="([\d.]+)" y="28" text-anchor="middle">(\d\d)</g,
        ),
      ];
      expect(ticks).toHaveLength(48);
      for (const [, line, label] of ticks) expect(label).toBe(line);
      expect(ticks.slice(0, 3).map(([, , , hour]) => hour)).toEqual(['09', '10', '11']);
    });

    test('and one that never changes in one line', async () => {
      const text = await draw('--html');
      expect(text).toMatch(/steady<\/b> <span class="soft">2 all the time · /);
      expect(text).not.toContain('aria-label="headroom of steady"');
    });

    test('and in the terminal, where the columns of one time stand below each other', async () => {
      said(await typed('plan -c axis.yaml --from 2026-11-17'));
    });

    test('also for a phone, with its text as large as elsewhere', async () => {
      const html = await draw('--html');
      expect(html.match(/class="narrow" viewBox="0 0 380 /g)).toHaveLength(2);
      expect(html).toContain('@media (max-width: 640px) { svg.wide { display: none; }');
    });

    test('and names both files where it compares them', async () => {
      const text = await draw('--html', '--compare', 'two.yaml');
      expect(text).toContain('axis.yaml');
      expect(text).toContain(`dashed line is two.yaml`);
    });
  });

  test('refuses what cannot be meant, and reports all mistakes at once', async () => {
    const refused = [
      '--timezone Mars',
      '--from noon',
      '--to 2020-01-01',
      '--to 9999-01-01',
      '--html /no/such/plan.html',
    ];
    const others = ['-c nowhere.yaml', '--tiemzone UTC'];
    const all = '--timezone Mars --from 2026-11-17 --to 2020-01-01 -c nowhere.yaml';
    said(await session([...refused, ...others, all].map((words) => `plan ${words}`)));
  });
});
