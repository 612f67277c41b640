import { loadConfig } from '../../../../shared/core/config/load';
import { formatProblem } from '../../../../shared/core/config/problem';
import { load, pool } from './config-text';

describe('an overlay', () => {
  test('changes by key, by name, and takes away with null', () => {
    const { config } = load(
      pool(
        'max: 8',
        'base: 2',
        'schedules: [{name: lunch, timezone: UTC, start: 0 11 * * *, end: 0 13 * * *, desiredReplicas: 6}]',
      ),
      'cluster: {name: staging}\nnodePools:\n  web:\n    base: null\n    schedules: [{name: lunch, desiredReplicas: 1}, {name: tea, timezone: UTC, start: 0 15 * * *, end: 0 16 * * *, desiredReplicas: 2}]\n',
    );
    expect(config.cluster).toMatchObject({ name: 'staging', region: 'ap-northeast-2' });
    expect(config.nodePools[0]).toMatchObject({ base: 0, max: 8 });
    expect(config.nodePools[0]?.windows.map(({ name, replicas }) => [name, replicas])).toEqual([
      ['lunch', 1],
      ['tea', 2],
    ]);
  });

  test('replaces selectors, although they have names', () => {
    const { config } = load(
      pool('max: 8', 'pool: {role: nodes, amiFamily: AL2023, amiSelector: [{name: "old-*"}]}'),
      'nodePools: {web: {pool: {amiSelector: [{name: "new-*"}]}}}\n',
    );
    expect(JSON.stringify(config)).toContain('new-*');
    expect(JSON.stringify(config)).not.toContain('old-*');
  });

  test('with a mistake is named as its place', () => {
    const loaded = loadConfig([
      { file: 'headroom.yaml', text: pool('max: 8') },
      { file: 'headroom.staging.yaml', text: 'nodePools:\n  web:\n    max: many\n' },
    ]);
    expect(loaded.ok ? [] : loaded.problems.map(formatProblem)).toEqual([
      'headroom.staging.yaml:3:5: nodePools.web.max is "many"; write a whole number from 0 to 5000',
    ]);
  });
});
