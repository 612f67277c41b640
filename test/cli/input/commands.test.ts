import { execFileSync } from 'node:child_process';
import { commandsFor, SUGGESTED } from '../../../cli/input/commands';
import { program } from '../../../cli/program';
import { shellQuoted } from '../../../cli/terminal/shell-quoted';
import { launcherOf } from '../../../cli/terminal/terminal';
import { fakeTerminal } from '../run-cli';

const terminal = fakeTerminal();

describe('a printed command', () => {
  test('reaches the same config and cluster as the one before it', () => {
    const { headstart, kubectl, deploy } = commandsFor(
      { config: 'my config.yaml', env: 'staging', kubeconfig: '/home/ana/.kube/config', stack: 'Shop' },
      terminal,
    );
    expect(headstart('release', 'default')).toBe(
      "`npx headstart release default -c 'my config.yaml' -e staging --kubeconfig /home/ana/.kube/config --stack Shop`",
    );
    expect(kubectl('-n', 'headroom', 'get', 'pods')).toBe(
      '`kubectl --kubeconfig /home/ana/.kube/config -n headroom get pods`',
    );
    expect(deploy()).toBe("`npx cdk deploy --all -c 'config=my config.yaml' -c env=staging`");
  });

  test('repeats nothing that holds by default', () => {
    const { headstart, kubectl, deploy } = commandsFor({ config: 'headroom.yaml' }, terminal);
    expect([headstart('status'), kubectl('get', 'nodes'), deploy()]).toEqual([
      '`npx headstart status`',
      '`kubectl get nodes`',
      '`npx cdk deploy --all`',
    ]);
  });

  test('asks for a file where the config came from standard input', () => {
    expect(commandsFor({ config: '-' }, terminal).headstart('validate')).toBe('`npx headstart validate -c FILE`');
  });

  test.each(Object.entries(SUGGESTED))('%s takes the options that it is printed with', (name, options) => {
    const known = program({ terminal, root: '', exitCode: 0 }).commands.find((one) => one.name() === name);
    expect(known?.options.map((option) => option.attributeName())).toEqual(expect.arrayContaining([...options]));
  });
});

test.each(['plain', "ana's file", 'a b', '$HOME', '', '"x"', 'back`tick', '*', 'läuft'])(
  'a shell reads the word %j back as it was',
  (word) => {
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellQuoted(word)}`]).toString()).toBe(word);
  },
);

describe('the launcher', () => {
  const agent = (npm_config_user_agent: string) => ({ npm_command: 'exec', npm_config_user_agent });
  const byScript = { npm_command: 'run-script', npm_lifecycle_event: 'start' };
  const BIN = '/shop/bin/headstart.mjs';
  test.each<[string, string, Record<string, string>, string]>([
    ['npx', '/shop/node_modules/.bin/headstart', agent('npm/10.9.0 node/v22'), 'npx headstart'],
    ['npm start', BIN, byScript, 'npx headstart'],
    ['pnpm', BIN, agent('pnpm/9.0.0 npm/? node/v22'), 'pnpm exec headstart'],
    ['yarn', BIN, { ...byScript, ...agent('yarn/1.22.22 npm/? node/v22') }, 'yarn headstart'],
    ['the link of a project', '/shop/node_modules/.bin/headstart', {}, 'npx headstart'],
    ['a global install', '/usr/local/bin/headstart', {}, 'headstart'],
    ['node', BIN, {}, 'node bin/headstart.mjs'],
    ['node from another folder', '/a b/bin/headstart.mjs', {}, "node '../a b/bin/headstart.mjs'"],
  ])('is the one that was used: %s', (_name, script, environment, expected) => {
    expect(launcherOf({ script, folder: '/shop', environment })).toBe(expected);
  });
});
