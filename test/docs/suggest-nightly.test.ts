import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The workflow's own script, on a real git repository; `gh` and `npx headstart` are stand-ins. */
const { env, steps } = parse(readFileSync('examples/suggest-nightly.yml', 'utf8')).jobs.suggest;
const script: string = steps.at(-1).run;

const GH = `#!/bin/sh
echo "$*" >> "$HOME/gh.log"
case "$2" in
  list) if [ -f "$HOME/open" ]; then echo 1; else echo 0; fi ;;
  create) touch "$HOME/open" ;;
  close) rm "$HOME/open" ;;
esac
`;
/** Proposes the windows of tonight, if any, and leaves the config alone otherwise, or where demand needs no more of it. */
const NPX = `#!/bin/sh
if [ "$2" = validate ]; then exit 0; fi
if [ -f "$HOME/tonight.yaml" ]; then cp "$HOME/tonight.yaml" headroom.yaml; fi
if grep -q retired headroom.yaml; then echo "  Remove nine: in the last 10 days demand did not need it."; fi
mkdir -p docs; date +%N > docs/suggest-picture.svg
echo "default: in the last 7 days the config of a week ago covered 93.1 % of the rise and held 12 node-hours."
`;

let home: string;
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: join(home, 'work'), encoding: 'utf8' });
const read = (name: string) => (existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : '');

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'headstart-nightly-'));
  mkdirSync(join(home, 'bin'));
  for (const [name, text] of Object.entries({ gh: GH, npx: NPX })) {
    writeFileSync(join(home, 'bin', name), text);
    chmodSync(join(home, 'bin', name), 0o755);
  }
  execFileSync('git', ['init', '--quiet', '--bare', '-b', 'main', join(home, 'origin')]);
  execFileSync('git', ['clone', '--quiet', join(home, 'origin'), join(home, 'work')], { stdio: 'ignore' });
  git('config', 'user.name', 'ana');
  git('config', 'user.email', 'ana@example.com');
  commitMain('windows: old\n');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function commitMain(config: string): void {
  writeFileSync(join(home, 'work', 'headroom.yaml'), config);
  git('add', 'headroom.yaml');
  git('commit', '--quiet', '-m', 'Edit the config');
  git('push', '--quiet', 'origin', 'HEAD:main');
}

/** Runs the workflow on a fresh checkout of the main branch; answers what it asked of GitHub, but for the list. */
function night(proposed?: string): readonly string[] {
  rmSync(join(home, 'gh.log'), { force: true });
  rmSync(join(home, 'tonight.yaml'), { force: true });
  if (proposed !== undefined) writeFileSync(join(home, 'tonight.yaml'), proposed);
  git('checkout', '--quiet', '--force', '-B', 'main', 'origin/main');
  git('clean', '--quiet', '-fd');
  execFileSync('bash', ['-e', '-c', script], {
    cwd: join(home, 'work'),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...{ PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, RUNNER_TEMP: home },
      ...{ BRANCH: env.BRANCH, PICTURE: env.PICTURE, PROMETHEUS_URL: 'http://127.0.0.1:9' },
      ...{ GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'shop/headroom' },
    },
  });
  const calls = read('gh.log').trim().split('\n');
  return calls.map((line) => line.split(' ').slice(0, 2).join(' ')).filter((line) => line !== 'pr list');
}

const proposedBranch = () => git('show', `origin/${env.BRANCH}:headroom.yaml`);

test('a night without news opens nothing', () => {
  expect(night()).toEqual([]);
  expect(git('branch', '--remotes')).not.toContain(env.BRANCH);
});

test('news opens one pull request with the picture and what last week covered; a night without more leaves it alone', () => {
  expect(night('windows: new\n')).toEqual(['pr create']);
  expect(proposedBranch()).toBe('windows: new\n');
  expect(read('body.md')).toMatch(/^default: in the last 7 days/);
  const head = git('rev-parse', `origin/${env.BRANCH}`).trim();
  expect(read('body.md')).toContain(`https://github.example/shop/headroom/blob/${head}/${env.PICTURE}?raw=true`);
  expect(night('windows: new\n')).toEqual([]);
  expect(git('rev-parse', `origin/${env.BRANCH}`).trim()).toBe(head);
});

test('more news updates the same pull request, as one commit on the main branch', () => {
  night('windows: new\n');
  expect(night('windows: newer\n')).toEqual(['pr edit']);
  expect(proposedBranch()).toBe('windows: newer\n');
  expect(git('rev-list', '--count', `origin/main..origin/${env.BRANCH}`).trim()).toBe('1');
});

test('windows to retire are proposed the same way, and nothing is applied', () => {
  expect(night('windows: retired\n')).toEqual(['pr create']);
  expect(read('gh.log')).toContain('--title Windows to retire');
  expect(read('body.md')).toContain('Remove nine');
  expect(git('show', 'origin/main:headroom.yaml')).toBe('windows: old\n');
  expect(script).not.toMatch(/apply|deploy|merge(?!-base)/);
});

test('a pull request is closed once the main branch needs no change, whatever would be said of its own windows', () => {
  night('windows: retired\n');
  expect(night()).toEqual(['pr close']);
});

test('demand that is back to the config closes it', () => {
  night('windows: new\n');
  expect(night('windows: old\n')).toEqual(['pr close']);
});

test('an edit of the main branch is never undone by an older pull request', () => {
  night('windows: new\n');
  git('checkout', '--quiet', '--force', '-B', 'main', 'origin/main');
  commitMain('windows: by hand\n');
  expect(night()).toEqual(['pr close']);
});

test('last week is the config as it was then', () => {
  const then = new Date(Date.now() - 9 * 86_400_000).toISOString();
  git('commit', '--quiet', '--amend', '--no-edit', '--date', then);
  execFileSync('git', ['commit', '--quiet', '--amend', '--no-edit'], {
    cwd: join(home, 'work'),
    env: { ...process.env, GIT_COMMITTER_DATE: then },
  });
  git('push', '--quiet', '--force', 'origin', 'HEAD:main');
  commitMain('windows: today\n');
  night();
  expect(read('last-week.yaml')).toBe('windows: old\n');
});
