import { writeFileSync } from 'node:fs';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { golden } from '../../golden/golden';
import { inFolder, typed } from '../session';
import { SmallCluster } from '../small-cluster';

const CONFIG =
  'cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}\nnodePools: {default: {max: 8, base: 2, events: [{name: import, pattern: {source: [shop.etl]}, cancel: {source: [shop.etl]}, hold: 30m, desiredReplicas: 6}]}}\n';
const folder = inFolder({ 'headroom.yaml': CONFIG });
const said = golden(`${__dirname}/handle.txt`);

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default'], folder);
});
afterEach(() => cluster.close());

function handle(event: unknown, words = ''): Promise<string> {
  writeFileSync('event.json', typeof event === 'string' ? event : JSON.stringify(event));
  return typed(`handle event.json --stack shop --kubeconfig kubeconfig ${words}`.trimEnd());
}
const sizes = () => cluster.api.list(DEPLOYMENTS, 'headroom').map(({ spec }) => spec.replicas);

const OVERRIDE = { headroom: 'default', atLeast: 5, for: '30m', by: 'ana', reason: 'try' };
const HEARTBEAT = {
  source: 'headstart.schedule',
  'detail-type': 'Headstart Heartbeat',
  time: '2026-11-16T03:00:00Z',
  detail: {},
};
const PEAK = { id: '1', source: 'shop.etl', time: '2026-11-18T09:00:00Z', detail: {} };
const queued = (cancel: boolean) => ({
  announced: { headroom: 'default', event: 'import', cancel },
  ingestedAt: '2026-11-18T09:00:01Z',
  event: PEAK,
});
const NAMED = '--headroom default --event import';
const AT = '--at 2026-11-18T09:01:00Z';

test.each<[string, unknown, string, readonly number[]]>([
  ['an override', OVERRIDE, '', [5]],
  ['an override in a dry run, at the time that is given', OVERRIDE, '--dry-run --at 2026-12-01T00:00:00Z', []],
  ['a heartbeat in a dry run, at its own time', HEARTBEAT, '--dry-run', []],
  ['a heartbeat in a dry run, at the time that is given', HEARTBEAT, '--dry-run --at 2026-12-01T00:00:00Z', []],
  ['the event that announces a peak', PEAK, `${NAMED} ${AT}`, [6]],
  ['the event that cancels a peak', PEAK, `${NAMED} --cancel ${AT}`, [2]],
  ['the message of the queue that announces a peak', queued(false), AT, [6]],
  ['the message of the queue that cancels a peak', queued(true), AT, [2]],
  ['a batch of the queue', { Records: [{ messageId: 'm1', body: JSON.stringify(queued(false)) }] }, AT, [6]],
  ['what is not JSON', '{', '', []],
  ['an override without a size', { headroom: 'web' }, '', []],
  ['an announced peak without its headroom', PEAK, '--event import', []],
  ['an announced peak of an unknown headroom', PEAK, '--headroom nope --event import', []],
  ['an announced peak of an unknown event', PEAK, '--headroom default --event nope', []],
])('headstart handle with %s', async (_name, event, words, expected) => {
  // Each Node.js has its own words for what is no JSON.
  said((await handle(event, words)).replace(/is not JSON \(.*\)/, 'is not JSON (<why>)'));
  expect(sizes()).toEqual(expected);
});
