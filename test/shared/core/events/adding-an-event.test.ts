import { handle } from '../../../../shared/core/handle';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { synthesized } from '../../../infra/synthesized';
import { sample } from './invented/meteor-strike';
import { sourcesTable } from './sources-table';

// The one line: the registry with the invented file in it.
jest.mock('../../../../shared/core/events/event-sources', () => ({
  EVENT_SOURCES: [
    ...jest.requireActual('../../../../shared/core/events/event-sources').EVENT_SOURCES,
    jest.requireActual('./invented/meteor-strike').meteorStrike,
  ],
}));

const config = configOf('  web: {max: 5, interruptions: {on: [meteor]}}\n');

test('one file and one line add an event: the config, the parser and the intents know it', async () => {
  const service = new FakeRuntime(config, Date.parse('2026-11-16T03:00:00Z'));
  service.cluster.nodeClaims = [{ instanceId: 'i-0a1b2c3d4e5f60001', nodePool: 'web', deleting: false }];
  await handle({ Records: [{ messageId: 'm', body: JSON.stringify(sample) }] }, service);
  expect(service.cluster.headroom('web')?.replicas).toBe(1);
  expect(service.cluster.headroom('web')?.annotations['headstart.dev/record']).toContain('"cause":"meteor"');
});

test('one file and one line add an event: its EventBridge rule follows', () => {
  const { Properties } = synthesized(config).one('AWS::Events::Rule', 'Interruptionsmeteor');
  expect(Properties.EventPattern).toEqual({
    source: ['aws.sky'],
    'detail-type': ['EC2 Instance Meteor Strike Warning'],
    detail: { size: ['large', 'huge'] },
  });
});

test('one file and one line add an event: the table in the docs follows', () => {
  expect(sourcesTable()).toContain('| `meteor` | no | a meteor is about to hit an instance |');
});
