import { abortAt } from '../../../../shared/adapters/aws/abort-at';

test.each([
  { name: 'in a fraction of a millisecond', deadline: () => Date.now() + 5000.25 },
  { name: 'never', deadline: () => Number.POSITIVE_INFINITY },
  { name: 'later than a timer can be set', deadline: () => Date.now() + 2 ** 40 },
])('a deadline $name leaves time for the call', async ({ deadline }) => {
  const { abortSignal } = abortAt(deadline());
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(abortSignal.aborted).toBe(false);
});

test('a deadline that has passed ends the call at once', async () => {
  const { abortSignal } = abortAt(Date.now() - 1000);
  await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
  expect(abortSignal.aborted).toBe(true);
});
