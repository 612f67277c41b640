import fc from 'fast-check';
import { loadConfig } from '../../shared/core/config/read/load';
import { checkLoaded } from './check-loaded';
import { configText, VALID } from './config-inputs';
import { fuzz, RUNS } from './fuzz';

test('any text is a config or a list of problems with their places', () => {
  let valid = 0;
  fuzz(configText, (text) => {
    const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
    checkLoaded(loaded);
    if (loaded.ok) valid += 1;
  });
  expect(valid).toBeGreaterThan(RUNS / 50);
});

test('any text over any text is a config or a list of problems with their places', () => {
  let valid = 0;
  fuzz(fc.tuple(fc.oneof(fc.constant(VALID), configText), configText), ([text, overlay]) => {
    const loaded = loadConfig([
      { file: 'headroom.yaml', text },
      { file: 'headroom.staging.yaml', text: overlay },
    ]);
    checkLoaded(loaded);
    if (loaded.ok) valid += 1;
  });
  expect(valid).toBeGreaterThan(RUNS / 50);
});
