import { join } from 'node:path';
import { DEPLOYMENTS } from '../../lab/simulator/kube/kinds';
import { loadConfig } from '../../shared/core/config/read/load';
import { folderWith, runCli } from '../cli/run-cli';
import { SmallCluster } from '../cli/small-cluster';
import { pageText } from './pages';

const CLUSTER = 'cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}\n';
/** Less than a day before the campaign of the page opens, so that its announcement still counts when it is delivered. */
const SENT = Date.parse('2026-11-26T10:00:00Z');

interface Sample {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: object;
}

/** The parts of the page that show a config, with the events that they tell people to send. */
const SECTIONS = pageText('docs/events.md')
  .split(/^## /m)
  .flatMap((text) => {
    const [config] = blocks(text, 'yaml');
    const events = blocks(text, 'json').flatMap((block) => samplesIn(JSON.parse(block)));
    return config ? [{ config: CLUSTER + config, events, commands: handlesIn(text) }] : [];
  });

/** What comes of the events of each part, one after the other, at a time when the peak is open. */
const EXPECTED = [
  {
    about: 'a campaign',
    at: '2026-11-27T08:00:00Z',
    sizes: { 'Campaign Scheduled': 12, 'Campaign Cancelled': 0 },
  },
  { about: 'a pipeline', at: '2026-11-26T10:05:00Z', sizes: { 'Deployment Started': 4 } },
  { about: 'an import', at: '2026-11-26T10:05:00Z', sizes: { 'Object Created': 6 } },
  { about: 'a reservation', at: '2026-11-26T10:05:00Z', sizes: { 'EC2 Capacity Reservation Active': 8 } },
].map((expected, index) => ({ config: '', events: [], commands: [], ...SECTIONS[index], ...expected }));

test('every part with a config is looked at', () => expect(SECTIONS).toHaveLength(EXPECTED.length));

describe.each(EXPECTED)('$about', ({ config: text, events, commands, at, sizes }) => {
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  const pool = loaded.ok ? loaded.config.headrooms[0] : undefined;
  const name = pool?.name ?? '';
  let cluster: SmallCluster;
  beforeEach(async () => {
    cluster = await SmallCluster.start([name]);
  });
  afterEach(() => cluster.close());

  async function handled(event: object, ...more: readonly string[]) {
    const folder = folderWith({ 'headroom.yaml': text, 'event.json': JSON.stringify(event) });
    const config = ['-c', join(folder, 'headroom.yaml'), '--stack', 'shop', '--kubeconfig', cluster.kubeconfig];
    const { code, out, err } = await runCli(['handle', join(folder, 'event.json'), ...config, ...more]);
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/rejected|"level":"error"/) });
    return JSON.parse(out);
  }
  const size = () => cluster.api.get(DEPLOYMENTS, 'headroom', `headroom-${name}`).spec.replicas;

  test('the config is valid, and nothing in it is doubtful', () => {
    expect(loaded).toMatchObject({ ok: true, warnings: [] });
  });

  test('the events, as the rules hand them to the queue, do what the page says', async () => {
    const seen: Record<string, unknown> = {};
    for (const [second, sample] of events.entries()) {
      const time = new Date(SENT + second * 1_000).toISOString();
      await handled({ announced: announcedBy(sample), ingestedAt: time, event: { ...sample, time } }, '--at', at);
      seen[sample['detail-type']] = size();
    }
    expect(seen).toEqual(sizes);
  });

  test('the commands that try an event as EventBridge delivers it work as they are written', async () => {
    const delivered = events.filter((sample) => 'time' in sample);
    expect(commands).toHaveLength(delivered.length);
    for (const [index, sample] of delivered.entries()) {
      const { decisions } = await handled(sample, ...(commands[index] ?? []));
      expect(decisions).toMatchObject([{ headroom: name, replicas: Object.values(sizes)[0] }]);
    }
  });

  /** The patterns of the page name source and detail type. */
  function announcedBy(sample: Sample) {
    const [found] = (pool?.events ?? []).flatMap(({ name: event, pattern, cancel }) => [
      ...(matches(pattern, sample) ? [{ headroom: name, event, cancel: false }] : []),
      ...(cancel && matches(cancel, sample) ? [{ headroom: name, event, cancel: true }] : []),
    ]);
    return found;
  }
});

function matches(pattern: Readonly<Record<string, unknown>>, event: Sample): boolean {
  return (['source', 'detail-type'] as const).every((key) => (pattern[key] as unknown[]).includes(event[key]));
}

function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block);
}

/** The options of the commands, but for the cluster. */
function handlesIn(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/^ {4}npx headstart handle \S+ (.+)$/gm)].map(([, options = '']) =>
    options.replace(/--kubeconfig (<.*?>|\S+)/, '').split(/ +/),
  );
}

/** Events as AWS sends them, and entries of `put-events`. */
function samplesIn(json: unknown): readonly Sample[] {
  if (!Array.isArray(json))
    return typeof json === 'object' && json !== null && 'detail' in json ? [json as Sample] : [];
  return json.map(({ Source, DetailType, Detail }) => ({
    source: Source,
    'detail-type': DetailType,
    detail: JSON.parse(Detail),
  }));
}
