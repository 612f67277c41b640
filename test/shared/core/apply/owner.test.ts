import { ForeignOwnerError, ownerOf, ownersIn, refuseForeign } from '../../../../shared/core/apply/owner';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { currentWith } from './current-headroom';

const ownedBy = (owner: string) => currentWith({ annotations: { [ANNOTATIONS.owner]: owner } });

test.each([
  { name: 'no headroom', current: undefined },
  { name: 'headroom whose annotation was taken away', current: currentWith() },
  { name: 'headroom of our own', current: ownedBy('ours') },
])('$name may be written', ({ current: live }) => {
  expect(() => refuseForeign(live, 'ours')).not.toThrow();
});

test('headroom of another owner is refused, and both are named with what to do', () => {
  const refused = () => refuseForeign(ownedBy('theirs'), 'ours');
  expect(refused).toThrow(ForeignOwnerError);
  expect(refused).toThrow(
    expect.objectContaining({
      name: 'ForeignOwnerError',
      message:
        'Deployment headroom-web belongs to theirs, and this is ours; give one of the two another cluster.namespace and deploy it again',
    }),
  );
});

test('everyone whose headroom is there is named once', () => {
  const headrooms = [ownedBy('a'), currentWith(), ownedBy('b'), ownedBy('a')];
  expect(ownersIn(headrooms)).toEqual(['a', 'b']);
  expect(headrooms.map(ownerOf)).toEqual(['a', undefined, 'b', 'a']);
});
