import { progressOf } from '../../../lab/simulate/progress';
import { fakeTerminal, NOW } from '../../cli/run-cli';

function shown(redraws: boolean): string {
  let seconds = 0;
  const terminal = fakeTerminal({ redraws, now: () => NOW + seconds * 1_000 });
  const onProgress = progressOf(terminal, 'learning');
  for (const [at, share] of [
    [0.5, 0.05],
    [10, 0.25],
    [40, 1],
  ] as const) {
    seconds = at;
    onProgress(share);
  }
  return terminal.text().err;
}

test('a terminal shows the share and the time that is left, and no line stays', () => {
  expect(shown(true)).toBe('\r\u001b[2Klearning: 25 %, about 30 s left\r\u001b[2K');
});

test('a file gets no progress', () => {
  expect(shown(false)).toBe('');
});
