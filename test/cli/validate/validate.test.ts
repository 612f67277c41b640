import { golden } from '../../golden/golden';
import { runCli } from '../run-cli';
import { inFolder, session } from '../session';

const GOOD = 'cluster: {name: shop, region: ap-northeast-2}\nnodePools: {default: {max: 3}, ci: {max: 4}}\n';
inFolder({
  'good.yaml': GOOD,
  'good.staging.yaml': 'nodePools: {ci: {remove: true}}\n',
  'bad.yaml': GOOD.replace('max: 3', 'max: -1').replace('max: 4', 'mxa: 4'),
  'warned.yaml': GOOD.replace(
    '{max: 3}',
    '{max: 3, leadTime: 0s, schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 2}]}',
  ),
});
const said = golden(`${__dirname}/validate.txt`);

test.each([
  ['a good file', ['validate -c good.yaml', 'validate good.yaml', 'validate good.yaml -c good.yaml']],
  ['a warning, and a hint at the floor', ['validate warned.yaml', 'validate warned.yaml --json']],
  ['an overlay that takes a NodePool out', ['validate good.yaml --env staging']],
  ['every problem with file, line and column', ['validate bad.yaml']],
  ['JSON for programs', ['validate bad.yaml --json', 'validate good.yaml --json']],
  ['two different files', ['validate good.yaml -c bad.yaml']],
  [
    'a missing file, with the option that names it',
    ['status x.yaml -c good.yaml', 'validate good.yaml -e x', 'plan -c x.yaml', 'plan good.yaml --compare x.yaml'],
  ],
])('headstart validate shows %s', async (_name, lines) => {
  said(await session(lines));
});

test('hints stay with validate', async () => {
  expect((await runCli(['plan', 'warned.yaml'])).err).not.toContain('hint: ');
});

test.each([
  { argv: ['plan', 'good.yaml', '--json'], code: 0 },
  { argv: ['doctor', 'good.yaml'], code: 2 },
  { argv: ['sandbox', 'good.yaml', '--headless', '--until', '1m'], code: 0 },
])('headstart $argv.0 takes the file as an argument too', async ({ argv, code }) => {
  expect(await runCli(argv)).toMatchObject({ code, err: '' });
});
