import { CONFIG_MAPS, DEPLOYMENTS } from '../../../../lab/simulator/kube/kinds';
import { loadedConfig } from '../../../fakes/loaded-config';
import { MINUTE, simulationOf } from './simulations';

const NAMED = { namespace: 'headroom', name: 'headroom-schedules' };
const text = (size: number | string) =>
  `nodePools: {default: {schedules: [{name: night, timezone: UTC, start: 0 0 * * *, end: 59 23 31 12 *, desiredReplicas: ${size}}]}}\n`;

test('in the sandbox an edit of the ConfigMap moves the picture, and a broken one does not', async () => {
  const config = loadedConfig(
    'cluster: {name: demo, region: eu-west-1, liveSchedules: true}\nnodePools: {default: {max: 9}}\n',
  );
  const simulation = await simulationOf({ config, scenario: 'lunch' });
  const { api } = simulation.cluster.engine;
  const edit = (data: string) =>
    api.apply(
      CONFIG_MAPS,
      NAMED,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: NAMED, data: { 'schedules.yaml': data } },
      { fieldManager: 'kubectl', force: true },
    );
  const later = () => simulation.runUntil(simulation.now + 5 * MINUTE);
  const wanted = () => simulation.headrooms()[0]?.wanted;
  edit(text(3));
  await later();
  expect(wanted()).toBe(3);
  edit(text('many'));
  await later();
  expect(wanted()).toBe(3);
  const { annotations = {} } = api.get(DEPLOYMENTS, 'headroom', 'headroom-default').metadata;
  expect(annotations['headstart.dev/reasons']).toContain('schedules.yaml:1:');
  api.delete(CONFIG_MAPS, api.get(CONFIG_MAPS, 'headroom', 'headroom-schedules'));
  await later();
  expect(wanted()).toBe(0);
});
