import { load, problemsIn } from '../config-text';

const file = (leadTime: string, more = '') =>
  `cluster: {name: demo, region: ap-northeast-2}\n${more}nodePools:\n  web: {max: 3, leadTime: ${leadTime}}\n`;
const leadOf = (leadTime: string, more = '') => {
  const [web] = load(file(leadTime, more)).config.headrooms;
  return { leadMinutes: web?.leadMinutes, autoLead: web?.autoLead };
};
const heartbeatMinutes = 1;

test.each([
  { written: '5m', leadMinutes: 5 },
  { written: 'auto', leadMinutes: 6, autoLead: { minMinutes: 1, maxMinutes: 15, heartbeatMinutes } },
  { written: '{auto: {}}', leadMinutes: 6, autoLead: { minMinutes: 1, maxMinutes: 15, heartbeatMinutes } },
  {
    written: '{auto: {min: 2m, max: 30m, start: 8m}}',
    leadMinutes: 9,
    autoLead: { minMinutes: 2, maxMinutes: 30, heartbeatMinutes },
  },
  { written: '{auto: {max: 3m}}', leadMinutes: 4, autoLead: { minMinutes: 1, maxMinutes: 3, heartbeatMinutes } },
  { written: '{auto: {max: 0s}}', leadMinutes: 1, autoLead: { minMinutes: 0, maxMinutes: 0, heartbeatMinutes } },
  { written: '{auto: {min: 20m}}', leadMinutes: 21, autoLead: { minMinutes: 20, maxMinutes: 20, heartbeatMinutes } },
  { written: '{auto: {start: 0s}}', leadMinutes: 1, autoLead: { minMinutes: 0, maxMinutes: 15, heartbeatMinutes } },
  { written: '{auto: {start: 25m}}', leadMinutes: 26, autoLead: { minMinutes: 1, maxMinutes: 25, heartbeatMinutes } },
])('leadTime: $written', ({ written, ...resolved }) => {
  expect(leadOf(written)).toEqual({ autoLead: undefined, ...resolved });
});

test('a learned lead time has the heartbeat added, which is all that knows when it is over', () => {
  expect(leadOf('auto', 'heartbeat: 3m\n')).toMatchObject({ leadMinutes: 8, autoLead: { heartbeatMinutes: 3 } });
});

test('a NodePool may have bounds of its own over those of defaults', () => {
  expect(leadOf('{auto: {max: 9m}}', 'defaults: {leadTime: {auto: {start: 4m}}}\n')).toMatchObject({
    leadMinutes: 5,
    autoLead: { maxMinutes: 9 },
  });
});

describe('windows of a learned lead time', () => {
  const windows = (count: number) =>
    Array.from({ length: count }, () => '{timezone: UTC, start: 0 9 * * *, end: 0 10 * * *, desiredReplicas: 1}').join(
      ', ',
    );
  const config = (leadTime: string, count: number) =>
    `cluster: {name: demo, region: ap-northeast-2}\nnodePools:\n  web: {max: 3, leadTime: ${leadTime}, schedules: [${windows(count)}]}\n`;

  test('are as many as the record holds', () => {
    expect(problemsIn(config('auto', 25))).toEqual([]);
    expect(problemsIn(config('5m', 26))).toEqual([]);
    expect(problemsIn(config('5m', 26).replace('leadTime: 5m, ', ''))).toEqual([
      'headroom.yaml:3:3: nodePools.web.leadTime is auto by default, which allows at most 25 schedules; for 26 write leadTime: 5m',
    ]);
    expect(problemsIn(config('auto', 26))).toEqual([
      'headroom.yaml:3:17: nodePools.web.leadTime is auto, which allows at most 25 schedules; for 26 write leadTime: 5m',
    ]);
  });

  test('need no warning about a short lead', () => {
    expect(load(config('{auto: {min: 0s, start: 0s}}', 1)).warnings).toEqual([]);
  });
});
