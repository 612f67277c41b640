import { CALM } from './account';
import { OTHERS, retagged } from './retagged';
import { variants } from './variants';
import { deployWorld } from './world';

const deploys = variants();

test('an update that changes only tags leaves no role of the stacks cluster admin for more than a day', async () => {
  const world = deployWorld();
  const found = await retagged(world, deploys);
  expect(found.outcomes).toEqual(['UPDATE_COMPLETE', 'UPDATE_COMPLETE']);
  expect(found.before).toEqual(OTHERS);
  // change-objects of both stacks, and the role that ran Helm.
  expect(found.after).toHaveLength(OTHERS.length + 3);
  expect(found.within).toEqual(found.after);
  expect(found.later).toEqual(OTHERS);
  expect(found.stripped).toEqual([]);
  expect(world.rung).toEqual([]);
});

test('a role that the daily call cannot take cluster admin off raises the alarm', async () => {
  const world = deployWorld();
  await retagged(world, deploys);
  world.account.temper = {
    ...CALM,
    fails: ({ action }) => (action.includes('AccessPolic') ? 'ServerException' : undefined),
  };
  await world.fireDaily();
  expect(world.rung).toHaveLength(3);
});
