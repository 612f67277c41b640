import { join } from 'node:path';
import fc from 'fast-check';
import { plain, printable } from '../../../cli/terminal/plain';
import { DEPLOYMENTS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { fakeTerminal, folderWith, runCli } from '../run-cli';
import { SmallCluster } from '../small-cluster';

const CONFIG =
  'cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}\nnodePools: {web: {max: 8, base: 2}}\n';
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
const HOSTILE = fc
  .array(
    fc.constantFrom(
      ...['\u001b[2J', '\u001b[8m', '\u001b]0;x\u0007', '\r', '\n', '\r\n', '\n\n', '\u0085', '\u2028', '\u009b2K'],
      ...[
        '\u202e',
        '\u2066',
        '\u200f',
        '\b',
        '\0',
        '\t',
        '`x`',
        '`',
        'ok: 1 NodePool of shop',
        'web held: x',
        'a',
        ' ',
      ],
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => `x${parts.join('')}x`);

let cluster: SmallCluster;
let deployed: Deployment;
let argv: (...words: string[]) => string[];

beforeEach(async () => {
  cluster = await SmallCluster.start(['web']);
  const config = join(folderWith({ 'headroom.yaml': CONFIG }), 'headroom.yaml');
  argv = (...words) => [...words, '-c', config, '--kubeconfig', cluster.kubeconfig];
  const made = argv('inflate', 'web', '--nodes', '3', '--for', '1h', '--no-wait', '--stack', 'headstart-shop');
  expect(await runCli(made)).toMatchObject({ code: 0 });
  deployed = cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-web');
});
afterEach(() => cluster.close());

/** Puts a text where anybody with access to the namespace, or to the function, could put it. */
function plant(text: string): void {
  const record = JSON.parse(deployed.metadata.annotations?.[ANNOTATIONS.record] ?? '{}');
  const override = { ...record.override, by: text, reason: text };
  const annotations = {
    ...deployed.metadata.annotations,
    [ANNOTATIONS.record]: JSON.stringify({ ...record, override }),
    [ANNOTATIONS.quarantined]: text,
  };
  const { resourceVersion } = cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-web').metadata;
  const metadata = { ...deployed.metadata, annotations, resourceVersion };
  cluster.apply({ ...deployed, metadata });
  cluster.place('web', [], text);
  const conditions = [{ type: 'Ready', status: 'False', reason: 'NotReady', message: text }];
  cluster.setStatus(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'web'), { conditions });
  cluster.apply(karpenter(text));
}

/** The controller, with a text for its version. */
function karpenter(text: string) {
  const labels = { 'app.kubernetes.io/name': 'karpenter' };
  const containers = [{ name: 'controller', image: `karpenter/controller:${text}` }];
  const template = { metadata: { labels }, spec: { containers } };
  const metadata = { name: 'karpenter', namespace: 'headroom', labels };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: labels }, template } };
}

const linesOf = (text: string) => text.split('\n').length;

test.each([
  { name: 'status', words: ['status'] },
  { name: 'status --check', words: ['status', '--check'] },
  { name: 'status --json', words: ['status', '--json'] },
  { name: 'doctor', words: ['doctor'] },
  { name: 'inflate', words: ['inflate', 'web', '--nodes', '4', '--for', '1h', '--no-wait'] },
  { name: 'release', words: ['release', 'web'] },
])('no text from outside moves the cursor or begins another line in $name', async ({ words }) => {
  const run = async (text: string, colours: boolean) => {
    plant(text);
    const { out, err } = await runCli(argv(...words), fakeTerminal({ width: 5_000, colours }));
    return out + err;
  };
  const expected = linesOf(await run('xx', false));
  const property = fc.asyncProperty(HOSTILE, fc.boolean(), async (text, colours) => {
    const printed = await run(text, colours);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
    const withoutOurs = colours ? printed.replace(/\u001b\[(?:[12]|22|3[1-69])m/g, '') : printed;
    expect(withoutOurs.replaceAll('\n', '')).not.toMatch(UNSAFE);
    expect(linesOf(printed)).toBe(expected);
  });
  await fc.assert(property, { numRuns: 30 });
});

test('status --check cannot be forged by a reason that contains a line', async () => {
  plant('x)\nok: 1 NodePool of shop, all 3 wanted are ready\u001b[8m');
  const { code, out } = await runCli(argv('status', '--check'));
  expect(code).toBe(2);
  for (const line of out.trimEnd().split('\n')) expect(line).toMatch(/^web /);
});

test('any text is printed without control characters, and our own colours and clearing stay', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plain(text)).not.toMatch(UNSAFE);
      expect(printable(text, { colours: false, redraws: false }).replace(/[\n\t]/g, '')).not.toMatch(UNSAFE);
      expect(linesOf(plain(text))).toBe(1);
    }),
  );
  const both = { colours: true, redraws: true };
  expect(printable('\r\u001b[2K\u001b[31mred\u001b[39m\n', both)).toBe('\r\u001b[2K\u001b[31mred\u001b[39m\n');
  expect(printable('later \r\u001b[2K', both)).toBe('later \\u000d\\u001b[2K');
});

test('JSON that is printed means the same, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(printable(JSON.stringify({ text }), { colours: true, redraws: true }))).toEqual({ text });
    }),
  );
});
