import { join } from 'node:path';
import { folderWith, runCli } from '../run-cli';

const GOOD = 'cluster: {name: shop, region: ap-northeast-2}\nnodePools: {default: {max: 3}, ci: {max: 4}}\n';
const folder = folderWith({
  'good.yaml': GOOD,
  'good.staging.yaml': 'nodePools: {ci: {remove: true}}\n',
  'bad.yaml': GOOD.replace('max: 3', 'max: -1').replace('max: 4', 'mxa: 4'),
  'warned.yaml': GOOD.replace(
    '{max: 3}',
    '{max: 3, schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 2}]}',
  ),
});
const at = (name: string) => join(folder, name);

describe('headstart validate', () => {
  test('says what a good file holds, with warnings beside it', async () => {
    expect(await runCli(['validate', '-c', at('good.yaml')])).toEqual({
      code: 0,
      out: `${at('good.yaml')}: valid, 2 NodePools of cluster shop\n`,
      err: '',
    });
    const warned = await runCli(['validate', '-c', at('warned.yaml')]);
    expect(warned).toMatchObject({ code: 0, err: expect.stringContaining('warning: ') });
  });

  test('hints at the floor where room of whole nodes is scheduled for a step, and stops nothing', async () => {
    const { code, out, err } = await runCli(['validate', '-c', at('warned.yaml')]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('valid, 2 NodePools') });
    expect(err).toMatch(
      /^hint: .*warned\.yaml:2:\d+: nodePools\.default\.schedules\[0\]\.desiredReplicas asks for 2 more nodes at once/m,
    );
    const json = await runCli(['validate', '-c', at('warned.yaml'), '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      hints: [{ path: 'nodePools.default.schedules[0].desiredReplicas', message: expect.stringContaining('floor') }],
    });
    const other = await runCli(['plan', '-c', at('warned.yaml')]);
    expect(other).toMatchObject({ code: 0, err: expect.not.stringContaining('hint: ') });
  });

  test('takes the file as an argument, but not two files', async () => {
    const { code, out } = await runCli(['validate', at('good.yaml')]);
    expect({ code, out }).toEqual({ code: 0, out: `${at('good.yaml')}: valid, 2 NodePools of cluster shop\n` });
    expect(await runCli(['validate', at('good.yaml'), '-c', at('good.yaml')])).toMatchObject({ code: 0 });
    expect(await runCli(['validate', at('good.yaml'), '-c', at('bad.yaml')])).toMatchObject({
      code: 1,
      err: `the config is given twice, ${at('good.yaml')} as argument and ${at('bad.yaml')} with --config; pass one of them\n`,
    });
  });

  test.each([
    { argv: ['plan', at('good.yaml'), '--json'], code: 0 },
    { argv: ['doctor', at('good.yaml')], code: 2 },
    { argv: ['sandbox', at('good.yaml'), '--headless', '--until', '1m'], code: 0 },
  ])('so does $argv.0', async ({ argv, code }) => {
    expect(await runCli(argv)).toMatchObject({ code, err: '' });
  });

  test.each([
    { name: 'a NodePool', argv: ['status', 'x.yaml', '-c', at('good.yaml')], says: 'pass the config with -c x.yaml' },
    { name: 'an overlay', argv: ['validate', at('good.yaml'), '-e', 'x'], says: 'or name another with --env' },
    { name: '--config', argv: ['plan', '-c', at('x.yaml')], says: 'or name another with --config' },
    { name: '--compare', argv: ['plan', at('good.yaml'), '--compare', 'x.yaml'], says: 'name another with --compare' },
  ])('a file that is missing for $name is said with the option that names it', async ({ argv, says }) => {
    const { code, err } = await runCli(argv);
    expect(code).toBe(1);
    expect(err).toContain(says);
  });

  test('reports every problem with file, line and column', async () => {
    const { code, out, err } = await runCli(['validate', '-c', at('bad.yaml')]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`${at('bad.yaml')}:2:23: nodePools.default.max`);
    expect(err).toContain('mxa');
    expect(err.trimEnd().split('\n').at(-1)).toMatch(/^\d problems in .*bad.yaml$/);
  });

  test('says which NodePool an overlay takes out', async () => {
    const { code, out, err } = await runCli(['validate', '-c', at('good.yaml'), '--env', 'staging']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('valid, 1 NodePool of cluster shop') });
    expect(err).toBe(
      `warning: ${at('good.staging.yaml')}:1:13: nodePools.ci is removed (remove: true); the next deploy deletes its headroom\n`,
    );
  });

  test('prints JSON for programs', async () => {
    const bad = await runCli(['validate', '-c', at('bad.yaml'), '--json']);
    expect(bad.code).toBe(1);
    expect(JSON.parse(bad.out)).toMatchObject({ ok: false, problems: expect.any(Array) });
    const good = await runCli(['validate', '-c', at('good.yaml'), '--json']);
    expect(JSON.parse(good.out)).toEqual({ ok: true, warnings: [], hints: [] });
  });
});
