import { headroomOfPod } from '../../../../shared/core/wake-up/headroom-of-pod';

/** As Kubernetes names it. */
const podOf = (headroom: string, hash = '5d4f8c7b9d') => `${`${headroom}-${hash}-`.slice(0, 58)}x2k9q`;
const [a, b] = ['a'.repeat(20), 'b'.repeat(15)];
const named = (length: number) => `headroom-${'n'.repeat(length)}`;

test.each<[string, string, readonly string[]]>([
  ['a short name', 'headroom-web', []],
  ['a name that begins with another', 'headroom-web-5d4f', ['headroom-web']],
  ['a name that another begins with', 'headroom-web', ['headroom-web-5d4f', 'headroom-we']],
  ['a name with dots', 'headroom-web.eu', ['headroom-web', 'headroom-web-eu']],
  ['the longest name that is not cut', named(37), [named(36)]],
  ['a name whose pods lose the last dash', named(38), [named(37)]],
  ['a name whose pods lose part of the hash', `headroom-${a}-web-${b}`, [`headroom-${a}-web`]],
  ['a name whose pods keep only the dash', named(48), [named(47)]],
  ['a name whose pods keep nothing of the hash', named(49), [named(48)]],
  ['the longest name', named(54), [named(40)]],
])('%s is told from others by its pods', (_name, headroom, others) => {
  for (const hash of ['5d4f8c7b9d', '5d4f8c7b', '5'])
    expect(headroomOfPod(podOf(headroom, hash), [...others, headroom])).toBe(headroom);
});

test.each<[string, string, readonly string[]]>([
  ['names that differ only in what is cut', podOf(named(54)), [named(54), named(53)]],
  [
    'a name that may be another one with a hash',
    podOf(`${named(40)}-bcdfghbcd`),
    [named(40), `${named(40)}-bcdfghbcd`],
  ],
  ['none that is known', podOf('headroom-web-other'), ['headroom-web']],
  ['none at all', 'headroom-web', ['headroom-web']],
])('the pod belongs to no headroom: %s', (_name, pod, headrooms) => {
  expect(headroomOfPod(pod, headrooms)).toBeUndefined();
});
