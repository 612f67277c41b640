import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { METRICS } from '../../shared/adapters/process/emf-metrics';
import { DEFAULTS } from '../../shared/core/config/schema/defaults';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { configIn } from '../fakes/loaded-config';
import { synthesized, synthesizedKarpenter } from '../infra/synthesized';
import { pageNames, pageText } from './pages';

describe('docs/config.md', () => {
  const { alarm, interruptions, unit, autoLead, ...plain } = DEFAULTS;
  const expected: Readonly<Record<string, string>> = {
    'cluster.namespace': plain.namespace,
    'cluster.access': plain.access,
    heartbeat: plain.heartbeat,
    base: String(plain.base),
    leadTime: plain.leadTime,
    'leadTime.auto.min': autoLead.min,
    'leadTime.auto.max': autoLead.max,
    'leadTime.auto.start': autoLead.start,
    image: plain.image,
    'events[].bus': plain.bus,
    unit: `{${unit.kind}: {cpu: ${unit.requests.cpu}}}`,
    'alarms[].hold': alarm.hold,
    'alarms[].metric.statistic': alarm.statistic,
    'alarms[].metric.period': alarm.period,
    'alarms[].metric.evaluationPeriods': String(alarm.evaluationPeriods),
    'interruptions.surge': String(interruptions.surge),
    'interruptions.max': String(interruptions.max),
    'interruptions.hold': interruptions.hold,
    'interruptions.on': `[${interruptions.on.join(', ')}]`,
  };

  test.each(Object.entries(expected).map(([key, value]) => ({ key, value })))('shows the default of $key', (row) => {
    expect(pageText('docs/config.md')).toContain(`| \`${row.key}\` | \`${row.value}\` |`);
  });

  test('knows every default that there is', () => {
    expect(Object.keys(plain)).toEqual(['namespace', 'access', 'heartbeat', 'base', 'leadTime', 'bus', 'image']);
    expect([Object.keys(autoLead), Object.keys(alarm), Object.keys(interruptions)]).toEqual([
      ['min', 'max', 'start'],
      ['hold', 'statistic', 'period', 'evaluationPeriods'],
      ['surge', 'max', 'hold', 'on'],
    ]);
  });
});

test.each(['README.md', 'docs/config.md'])('the first config of %s is headroom.yaml', (page) => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(pageText(page)) ?? [];
  expect(parse(text)).toEqual(parse(readFileSync('headroom.yaml', 'utf8')));
});

test('headroom.yaml is valid and says nothing that validate hints at', () => {
  expect(loadConfigFiles('headroom.yaml')).toMatchObject({ ok: true, warnings: [], hints: [] });
});

test('docs/operations.md explains every metric and every annotation that people meet', () => {
  const { template: _internal, ...shown } = ANNOTATIONS;
  const names = [...Object.values(METRICS), ...Object.values(shown)];
  const page = pageText('docs/operations.md');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('docs/operations.md names every alarm on Headstart itself', () => {
  const alarms = Object.keys(templateOf('examples/full.yaml').all('AWS::CloudWatch::Alarm'));
  const own = alarms.flatMap((id) => /^OwnAlarms(.+)$/.exec(id)?.[1] ?? []);
  const kinds = new Set(own.map((id) => id.replace(/^(Late|DeadLetters|Waiting).*/, '$1')));
  expect([...kinds].sort()).toEqual([
    'AdminsKept',
    'ContestedFields',
    'DeadLetters',
    'Errors',
    'Late',
    'LiveSchedules',
    'MissingNodePools',
    'RejectedEvents',
    'Silent',
    'UnreadableRecords',
    'Waiting',
  ]);
  const page = pageText('docs/operations.md');
  expect([...kinds].filter((kind) => !new RegExp(`\\| \`${kind}\\b`).test(page))).toEqual([]);
});

test('the outputs that pages name are outputs of a stack', () => {
  const outputs = [
    templateOf('headroom.yaml'),
    templateOf('examples/full.yaml', 'dev'),
    templateOf('examples/full.yaml', undefined, synthesizedKarpenter),
    templateOf('examples/full.yaml', 'dev', synthesizedKarpenter),
  ].flatMap((template) => Object.keys(template.outputs));
  const named = pageNames().flatMap((page) =>
    [/outputs? `?(\w+)`?(?: prints|\)|>|,|\.| to )/g, /^ +Headstart-[\w-]+\.(\w+) = /gm].flatMap((pattern) =>
      [...pageText(page).matchAll(pattern)].map(([, name = '']) => name),
    ),
  );
  const camel = named.filter((name) => /^[A-Z]\w*[a-z][A-Z]/.test(name));
  expect(camel.length).toBeGreaterThan(5);
  expect([...new Set(camel)].filter((name) => !outputs.includes(name))).toEqual([]);
});

test('docs/deploy.md names tests that exist', () => {
  const page = pageText('docs/deploy.md');
  const rows = [...page.matchAll(/`([^`]+)` \(`(test\/[\w/.-]+\.test\.ts)`\)/g)];
  expect(rows.length).toBeGreaterThan(7);
  const missing = rows.filter(([, name = '', file = '']) => !readFileSync(file, 'utf8').includes(name));
  expect(missing.map(([row]) => row)).toEqual([]);
});

/** CloudFormation prints what EKS answers for an access entry of a role that IAM made a moment ago. */
const EKS_REFUSES = 'The specified principalArn is invalid: invalid principal';

test('docs/access.md explains messages that a deploy can print', () => {
  const said = `${sourcesIn('lambdas/deploy', 'shared/adapters', 'shared/core/karpenter')} ${EKS_REFUSES}`;
  const page = pageText('docs/access.md');
  const table = page.slice(page.indexOf('| message contains'), page.indexOf('When an update fails'));
  const messages = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message);
  expect(messages.length).toBeGreaterThan(7);
  // Up to the first example value.
  const fixed = messages.map((message) => message.replace(/(?<= )([A-Z]|\d|NodePool).*$/, ''));
  expect(fixed.filter((message) => !said.includes(message))).toEqual([]);
});

test('docs/operations.md quotes log messages that exist', () => {
  const said = sourcesIn('shared/core');
  for (const message of ['headroom decided', 'record unreadable']) {
    expect(pageText('docs/operations.md')).toContain(message);
    expect(said).toContain(`'${message}'`);
  }
});

test('docs/karpenter-notes.md quotes tests of the cluster suite that exist', () => {
  const suites = new Map(
    ['test/cluster', 'test/contract'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map(
          (path) => [basename(path, '.ts').replace('.test', ''), readFileSync(`${folder}/${path}`, 'utf8')] as const,
        ),
    ),
  );
  const notes = pageText('docs/karpenter-notes.md').replace(/\s+/g, ' ');
  const quotes = [...notes.matchAll(/([a-z][a-z-]*): ((?:"[^"]+"(?:, )?)+)/g)].flatMap(([, suite = '', list = '']) =>
    [...list.matchAll(/"([^"]+?)(?: ?\.\.\.)?"/g)].map(([, quote = '']) => ({ suite, quote })),
  );
  const known = quotes.filter(({ suite }) => suites.has(suite));
  expect(known.length).toBeGreaterThan(15);
  expect(known.filter(({ suite, quote }) => !suites.get(suite)?.includes(quote))).toEqual([]);
});

function sourcesIn(...folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

function templateOf(file: string, env?: string, synthesize = synthesized) {
  return synthesize(configIn(file, env));
}
