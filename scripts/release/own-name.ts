import { execFileSync } from 'node:child_process';

/** What the registry says of a package's name. */
interface Registered {
  /** Who is logged in; `undefined` if nobody is. */
  readonly user: string | undefined;
  /** Who may publish under the name; `undefined` if nobody has registered it. */
  readonly maintainers: readonly string[] | undefined;
}

/** Why a release must not carry this name: its docs tell people to install it, and `npx` runs whoever owns it. */
export function nameProblem(name: string, { user, maintainers }: Registered): string | undefined {
  if (maintainers === undefined)
    return `${name} is not registered, so anybody can register it; publish a placeholder first, or write a name in a scope of yours into package.json`;
  if (user === undefined)
    return `nobody is logged in at the registry, so whose ${name} is cannot be seen; run npm login`;
  if (!maintainers.includes(user))
    return `${name} belongs to ${maintainers.join(', ')}, not to ${user}; write another name into package.json`;
  return undefined;
}

/** Asks the registry that npm is configured for. */
export function readRegistered(name: string): Registered {
  const listed = npm('view', name, 'maintainers', '--json');
  if (listed.error !== undefined && listed.error !== 'E404')
    throw new Error(`npm view ${name} failed: ${listed.error}`);
  return {
    user: npm('whoami', '--json').value as string | undefined,
    maintainers: listed.error ? undefined : [listed.value].flat().map((one) => nameOf(String(one))),
  };
}

/** `ana <ana@example.com>` */
function nameOf(maintainer: string): string {
  return maintainer.split(' ')[0] ?? '';
}

function npm(...args: readonly string[]): { readonly value?: unknown; readonly error?: string } {
  try {
    const text = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return { value: text.trim() === '' ? [] : JSON.parse(text) };
  } catch (failed) {
    const { stdout = '' } = failed as { stdout?: string };
    return { error: /"code":\s*"(\w+)"/.exec(stdout)?.[1] ?? 'no answer' };
  }
}
