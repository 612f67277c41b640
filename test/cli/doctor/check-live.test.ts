import { checkLive } from '../../../cli/doctor/checks/check-live';
import { commandsFor } from '../../../cli/input/commands';
import { configOf } from '../../fakes/fake-runtime';
import { NOW } from '../run-cli';

const config = configOf('  web: {max: 5}\n', '', ', liveSchedules: true');
const commands = commandsFor({}, { launcher: 'npx headstart' });
const check = (data: Readonly<Record<string, string>>) =>
  [...checkLive({ data, binaryKeys: [] }, { config, now: NOW, commands })].map(({ severity, evidence }) => [
    severity,
    evidence,
  ]);

test.each([
  ['a valid text', { a: 'nodePools: {web: {base: 2}}' }, []],
  ['two keys', { a: '', b: '' }, [['error', expect.stringContaining('has 2 keys in data (a, b)')]]],
  ['too much', { a: '#'.repeat(65_537) }, [['error', expect.stringContaining('has 65537 bytes in a')]]],
  ['an error', { a: 'nodePools: {web: {max: 2}}' }, [['error', expect.stringContaining('a:1:19: nodePools.web.max')]]],
  [
    'a size above max',
    { a: 'nodePools: {web: {base: 6}}' },
    [['warning', expect.stringContaining('above the deployed max 5')]],
  ],
  [
    'a NodePool that is not deployed',
    { a: 'nodePools: {ci: {}}' },
    [['warning', expect.stringContaining('nodePools.ci is not deployed')]],
  ],
])('doctor finds %s', (_name, data, found) => {
  expect(check(data)).toEqual(found);
});
