import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith, runCli } from '../run-cli';

const CONFIG = `cluster: {name: shop, region: eu-central-1}
nodePools:
  default: {max: 3}
  deep: {max: 3}
  ci: {max: 3}
`;
const folder = folderWith({ 'headroom.yaml': CONFIG, 'other.yaml': CONFIG.replace('ci:', 'web:') });

describe('what a word can become', () => {
  const cases = [
    { words: ['infl'], found: ['inflate'] },
    { words: ['inflate', 'de'], found: ['deep', 'default'] },
    { words: ['inflate', 'default', ''], found: [] },
    { words: ['status', '-c', 'other.yaml', ''], found: ['deep', 'default', 'web'] },
    { words: ['doctor', '--try', 'c'], found: ['ci'] },
    { words: ['handle', 'event.json', '--headroom', 'd'], found: ['deep', 'default'] },
    { words: ['inflate', '--nodes', ''], found: [] },
    { words: ['inflate', '--no'], found: ['--no-wait', '--nodes'] },
    { words: ['completion', ''], found: ['bash', 'fish', 'zsh'] },
    { words: ['import', 'ked'], found: ['keda'] },
    { words: ['status', '-c', 'missing.yaml', ''], found: [] },
    { words: ['comple'], found: ['completion'] },
  ];
  const here = process.cwd();
  beforeAll(() => process.chdir(folder));
  afterAll(() => process.chdir(here));

  test.each(cases)('$words', async ({ words, found }) => {
    const { code, out, err } = await runCli(['complete', '--', ...words]);
    expect({ code, err, found: out.split('\n').slice(0, -1) }).toEqual({ code: 0, err: '', found });
  });
});

test('an unknown shell is refused with those that there are', async () => {
  const { code, err } = await runCli(['completion', 'tcsh']);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('bash, zsh, fish') });
});

/** Each shell completes `headstart inflate de`; what it calls is a stub that shows the words it got. */
const DRIVERS = {
  bash: (script: string) =>
    `source ${script}\nCOMP_WORDS=(headstart inflate 'a b' de) COMP_CWORD=3\n_headstart\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (script: string) =>
    `compdef() { :; }; compadd() { print -l -- "\${(@P)2}"; }; _files() { print files; }\nsource ${script}\nwords=(headstart inflate 'a b' de) CURRENT=4\n_headstart`,
  fish: (script: string) =>
    `function commandline; if test $argv[1] = -opc; printf '%s\\n' headstart inflate 'a b'; else; echo de; end; end\nsource ${script}\n__headstart_words`,
};

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  // Where all suites run, a shell that is missing is a failure.
  const installed = process.env.CI === 'true' || spawnSync(shell, ['-c', 'true']).status === 0;
  const run = installed ? test : test.skip;

  run('passes the words on as they were typed, and offers what comes back', async () => {
    const { out: script } = await runCli(['completion', shell]);
    const stub = folderWith({
      headstart: '#!/bin/sh\nfor word in "$@"; do echo "got:$word"; done\n',
      script,
    });
    chmodSync(join(stub, 'headstart'), 0o755);
    writeFileSync(join(stub, 'drive'), DRIVERS[shell](join(stub, 'script')));
    const env = { ...process.env, PATH: `${stub}:${process.env.PATH}` };
    const out = execFileSync(shell, [join(stub, 'drive')], { encoding: 'utf8', env });
    expect(out.trim().split('\n')).toEqual(['got:complete', 'got:--', 'got:inflate', 'got:a b', 'got:de']);
  });
});
