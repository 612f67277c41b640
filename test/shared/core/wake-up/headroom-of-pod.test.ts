import { MAX_HEADROOM_NAME } from '../../../../shared/core/config/schema/schema-fields';
import { headroomOfPod } from '../../../../shared/core/wake-up/headroom-of-pod';

/** As Kubernetes names it. */
const podOf = (headroom: string, hash = '5d4f8c7b9d') => `${`${headroom}-${hash}-`.slice(0, 58)}x2k9q`;
const longest = `headroom-${'n'.repeat(MAX_HEADROOM_NAME)}`;

test.each<[string, string, readonly string[]]>([
  ['a short name', 'headroom-web', []],
  ['a name that begins with another', 'headroom-web-5d4f', ['headroom-web']],
  ['a name that another begins with', 'headroom-web', ['headroom-web-5d4f', 'headroom-we']],
  ['a name with dots', 'headroom-web.eu', ['headroom-web', 'headroom-web-eu']],
  ['the longest name', longest, [longest.slice(0, -1)]],
])('%s is told from others by its pods', (_name, headroom, others) => {
  for (const hash of ['5d4f8c7b9d', '5d4f8c7b', '5'])
    expect(headroomOfPod(podOf(headroom, hash), [...others, headroom])).toBe(headroom);
});

test.each([podOf('headroom-web-other'), podOf(`${longest}n`), 'headroom-web', ''])(
  'a pod named %j belongs to no headroom of ours',
  (pod) => {
    expect(headroomOfPod(pod, ['headroom-web', longest])).toBeUndefined();
  },
);
