import { loadConfig } from '../../shared/core/config/read/load';
import { MAX_RESOURCES } from '../../shared/core/schedules/count-resources';
import { compareWithSynth } from './resource-counts';
import { configOf, synthesized } from './synthesized';

/** So many alarms that the stack has to create. */
function withAlarms(count: number): string {
  const alarms = Array.from({ length: count }, (_, index) => ({
    name: `a${index}`,
    metric: { namespace: 'A', name: 'B' },
    threshold: '> 1',
    add: 1,
  }));
  return JSON.stringify({
    cluster: { name: 'a', region: 'eu-west-1' },
    nodePools: { x: { max: 1, alarms: alarms.slice(0, 240) }, y: { max: 1, alarms: alarms.slice(240) } },
  });
}

test('core counts exactly the resources that synth makes', () => compareWithSynth(10, 20_261_117));

test('a config whose stack would be too large is refused before synth, with the reason and the way out', () => {
  const loaded = loadConfig([{ file: 'headroom.yaml', text: withAlarms(480) }]);
  expect(loaded.ok ? [] : loaded.problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^needs \d{3} CloudFormation resources for 480 alarms with a metric, 0 patterns of events and 0 NodePools with schedules or events; a stack holds 500: create alarms in a stack of your own and write their alarmName, or write fewer$/,
    ),
  ]);
});

test('the largest stack that is accepted has as many resources as CloudFormation allows', () => {
  let count = 480;
  while (!loadConfig([{ file: 'headroom.yaml', text: withAlarms(count) }]).ok) count -= 1;
  const { resources } = synthesized(configOf(withAlarms(count)), {}, { props: { analyticsReporting: true } });
  expect(MAX_RESOURCES - Object.keys(resources).length).toBeLessThan(3);
  expect(Object.keys(resources).length).toBeLessThanOrEqual(MAX_RESOURCES);
});
