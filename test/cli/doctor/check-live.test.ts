import { checkLive } from '../../../cli/doctor/checks/check-live';
import { commandsFor } from '../../../cli/input/commands';
import { configOf } from '../../fakes/fake-runtime';
import { golden } from '../../golden/golden';
import { NOW } from '../run-cli';

const said = golden(`${__dirname}/check-live.txt`);
const config = configOf('  web: {max: 5}\n', '', ', liveSchedules: true');
const commands = commandsFor({}, { launcher: 'npx headstart' });

test.each([
  ['a valid text', { a: 'nodePools: {web: {base: 2}}' }],
  ['two keys', { a: '', b: '' }],
  ['too much', { a: '#'.repeat(65_537) }],
  ['an error', { a: 'nodePools: {web: {max: 2}}' }],
  ['a size above max', { a: 'nodePools: {web: {base: 6}}' }],
  ['a NodePool that is not deployed', { a: 'nodePools: {ci: {}}' }],
])('doctor on a ConfigMap with %s', (_name, data) => {
  const found = [...checkLive({ data, binaryKeys: [] }, { config, now: NOW, commands })];
  said(found.map(({ severity, evidence }) => `${severity}: ${evidence}`).join('\n') || 'nothing');
});
