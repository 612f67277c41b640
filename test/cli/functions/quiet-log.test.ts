import { quietLog } from '../../../cli/functions/kubeconfig-access';

test('a warning shows objects as JSON, and other fields as they are', () => {
  const lines: string[] = [];
  quietLog({ err: (text) => lines.push(text) }).warn('nodes counted late', {
    headroom: 'web',
    windows: ['lunch'],
    counts: { 'lunch@2026-11-17T02:30:00.000Z': { nodes: 2 } },
    missing: undefined,
  });
  expect(lines).toEqual([
    'nodes counted late: web, ["lunch"], {"lunch@2026-11-17T02:30:00.000Z":{"nodes":2}}, undefined\n',
  ]);
});
