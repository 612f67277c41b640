import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCommand } from '../../cluster/harness/process/run-command';

const ROOT = join(__dirname, '..', '..', '..');

describe('the release script asks the registry', () => {
  let registry: Server;
  let maintainers: readonly { name: string; email: string }[] | undefined;

  beforeAll(async () => {
    registry = createServer(({ url }, response) => {
      const answer = url === '/-/whoami' ? { username: 'ana' } : maintainers && packument(maintainers);
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'Not found' }));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => registry.close(resolve)));

  test.each([
    { name: 'is free', of: undefined, says: /headstart is not registered/ },
    {
      name: "is somebody else's",
      of: [{ name: 'bob', email: 'bob@example.com' }],
      says: /headstart belongs to bob, not to ana/,
    },
    // The next thing that stops it: nothing is built yet.
    { name: 'is ours', of: [{ name: 'ana', email: 'ana@example.com' }], says: /CHANGELOG\.md has no section/ },
  ])('before it makes anything, where the name $name', async ({ of, says }) => {
    maintainers = of;
    const { port } = registry.address() as AddressInfo;
    const host = `//127.0.0.1:${port}/`;
    const env = { ...process.env, npm_config_registry: `http:${host}`, [`npm_config_${host}:_authToken`]: 'secret' };
    const args = ['scripts/release/release.ts', join(ROOT, 'dist', 'no-release')];
    const program = join(ROOT, 'node_modules', '.bin', 'tsx');
    await expect(runCommand({ program, args, cwd: ROOT, env })).rejects.toThrow(says);
  });
});

function packument(maintainers: readonly object[]) {
  const version = { name: 'headstart', version: '0.0.0', maintainers };
  return { name: 'headstart', 'dist-tags': { latest: '0.0.0' }, versions: { '0.0.0': version }, maintainers };
}
