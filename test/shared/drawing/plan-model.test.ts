import type { Config } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/read/load';
import { planModel } from '../../../shared/drawing/plan-model';
import { midnightsOf, ticksOf } from '../../../shared/drawing/time-axis';

function configOf(pool: string): Config {
  const text = `cluster: {name: c, region: us-east-1}\nnodePools: {default: ${pool}}`;
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

const day = (text: string) => Date.parse(`${text}Z`);

describe('planModel', () => {
  test('cuts each occurrence of a window to the time that is shown', () => {
    const config = configOf(
      '{max: 5, leadTime: 1h, schedules: [{name: w, timezone: UTC, start: 0 8 * * *, end: 0 10 * * *, desiredReplicas: 5}]}',
    );
    const [pool] = planModel(config, day('2026-11-16T09:00'), day('2026-11-18T07:30')).pools;
    expect(pool?.windows[0]?.spans).toEqual([
      { leadFrom: day('2026-11-16T09:00'), from: day('2026-11-16T09:00'), to: day('2026-11-16T10:00') },
      { leadFrom: day('2026-11-17T07:00'), from: day('2026-11-17T08:00'), to: day('2026-11-17T10:00') },
      { leadFrom: day('2026-11-18T07:00'), from: day('2026-11-18T07:30'), to: day('2026-11-18T07:30') },
    ]);
    expect(pool?.figures).toMatchObject({ peak: 5, replicaHours: 22.5, nodeHours: 22.5, constantNodeHours: 232.5 });
  });

  test('a floor adds at most what its window says to what it kept itself when the nodes were counted', () => {
    const window = (name: string, start: number, end: number, size: string) =>
      `{name: ${name}, timezone: UTC, start: 0 ${start} * * *, end: 0 ${end} * * *, ${size}}`;
    const windows = [
      window('day', 8, 12, 'desiredReplicas: 3'),
      window('lunch', 11, 14, 'addNodes: 4'),
      window('sale', 13, 15, 'addNodes: 6'),
      window('night', 14, 16, 'desiredReplicas: 8'),
    ];
    const config = configOf(
      `{max: 8, base: 1, leadTime: 0s, unit: {floor: {cpu: 4}}, schedules: [${windows.join(', ')}]}`,
    );
    const [pool] = planModel(config, day('2026-11-16T00:00'), day('2026-11-17T00:00')).pools;
    const steps = pool?.steps.map(({ at, replicas, uncounted = 0, most }) => [
      new Date(at).getUTCHours(),
      replicas,
      uncounted,
      most,
    ]);
    expect(steps).toEqual([
      [0, 1, 0, 1],
      [8, 3, 0, 3],
      [11, 3, 4, 7],
      [12, 1, 4, 7],
      [13, 1, 6, 9],
      [14, 8, 6, 9],
      [15, 8, 0, 8],
      [16, 1, 0, 1],
    ]);
    expect(pool?.figures).toMatchObject({ peak: 9, relative: true });
  });

  test('shows the zone that most windows are written in', () => {
    const window = (name: string, timezone: string) =>
      `{name: ${name}, timezone: ${timezone}, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1}`;
    const windows = [window('a', 'UTC'), window('b', 'Asia/Seoul'), window('c', 'Asia/Seoul')];
    const zoneOf = (count: number) =>
      planModel(configOf(`{max: 5, schedules: [${windows.slice(0, count).join(', ')}]}`), 0, 1).pools[0]?.timezone;
    expect([zoneOf(0), zoneOf(2), zoneOf(3)]).toEqual(['UTC', 'UTC', 'Asia/Seoul']);
  });
});

describe('ticksOf', () => {
  test('marks local hours on both sides of a clock change', () => {
    const [from, to] = [day('2026-10-24T22:00'), day('2026-10-25T22:00')];
    const ticks = ticksOf('Europe/Berlin', from, to, 10);
    expect(ticks.map(({ label }) => label)).toEqual(['00', '03', '06', '09', '12', '15', '18', '21']);
    expect(ticks[1]?.at).toBe(day('2026-10-25T02:00'));
    expect(midnightsOf('Europe/Berlin', from, to)).toEqual([from]);
  });

  test('marks quarter hours of a short time', () => {
    const ticks = ticksOf('Asia/Kolkata', day('2026-11-16T00:05'), day('2026-11-16T01:00'), 4);
    expect(ticks.map(({ label }) => label)).toEqual(['05:45', '06:00', '06:15']);
  });
});
