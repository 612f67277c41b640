import { freshAfterIdle } from '../../../../shared/adapters/http/fresh-after-idle';

function pool() {
  let made = 0;
  const retired: number[] = [];
  const fresh = freshAfterIdle(
    () => (made += 1),
    (old) => retired.push(old),
  );
  return { fresh, retired };
}

test('is kept while it is used', () => {
  const { fresh, retired } = pool();
  expect([0, 20_000, 40_000, 70_000].map((now) => fresh.get(now))).toEqual([1, 1, 1, 1]);
  expect(retired).toEqual([]);
});

test.each([
  { name: 'after more than half a minute without use', now: 30_001 },
  { name: 'when the clock was set back', now: -30_001 },
])('is replaced and retired $name', ({ now }) => {
  const { fresh, retired } = pool();
  fresh.get(0);
  expect([fresh.get(now), retired]).toEqual([2, [1]]);
});

test('is replaced after a failure, once however many calls have failed', () => {
  const { fresh, retired } = pool();
  const used = fresh.get(0);
  fresh.drop(used);
  const next = fresh.get(1);
  fresh.drop(used);
  expect([next, fresh.get(2), retired]).toEqual([2, 2, [1]]);
});
