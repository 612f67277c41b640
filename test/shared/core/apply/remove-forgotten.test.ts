import { removeForgotten } from '../../../../shared/core/apply/remove-forgotten';
import { ConflictError } from '../../../../shared/core/basics/errors';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { currentWith } from './current-headroom';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const service = () => new FakeRuntime(configOf('  web: {max: 5}\n'), NOW);
const { owner } = service();
const owned = (name: string, by = owner) => currentWith({ name, annotations: { [ANNOTATIONS.owner]: by } });
const found = [
  owned('headroom-web'),
  owned('headroom-old'),
  owned('headroom-theirs', 'them'),
  currentWith({ name: 'x' }),
];

test('our own headroom that the config no longer names is left over until the next deploy', async () => {
  const reconciling = service();
  expect(await removeForgotten(reconciling, found, false)).toStrictEqual({
    names: [],
    failures: [],
    leftovers: ['headroom-old'],
  });
  expect(reconciling.cluster.calls).toEqual([]);
});

test('a deploy deletes it, and nothing else', async () => {
  const deploying = service();
  const deleted: string[] = [];
  deploying.cluster.deleteHeadroom = async ({ name }) => {
    deleted.push(name);
  };
  expect(await removeForgotten(deploying, found, true)).toStrictEqual({
    names: ['headroom-old'],
    failures: [],
    leftovers: [],
  });
  expect(deleted).toEqual(['headroom-old']);
});

test('what cannot be deleted is said, and the others are deleted', async () => {
  const deploying = service();
  deploying.cluster.deleteHeadroom = async ({ name }) => {
    if (name === 'headroom-old') throw new Error('forbidden');
  };
  expect(await removeForgotten(deploying, [...found, owned('headroom-older')], true)).toStrictEqual({
    names: ['headroom-older'],
    failures: [{ what: 'removing headroom-old', error: new Error('forbidden') }],
    leftovers: [],
  });
});

test.each([
  { name: 'changed hands', now: owned('headroom-old', 'them'), deleted: [] },
  { name: 'lost its owner', now: currentWith({ name: 'headroom-old' }), deleted: [] },
  { name: 'only changed its status', now: owned('headroom-old'), deleted: ['headroom-old'] },
  { name: 'is gone', now: undefined, deleted: [] },
])('headroom that $name since it was listed', async ({ now, deleted }) => {
  const deploying = service();
  const done: string[] = [];
  let isFirst = true;
  deploying.cluster.deleteHeadroom = async ({ name }) => {
    if (isFirst) {
      isFirst = false;
      throw new ConflictError(`${name} was modified`);
    }
    done.push(name);
  };
  deploying.cluster.readHeadroom = async () => now;
  expect(await removeForgotten(deploying, found, true)).toMatchObject({ failures: [] });
  expect(done).toEqual(deleted);
});
