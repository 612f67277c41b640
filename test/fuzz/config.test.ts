import { loadConfig } from '../../shared/core/config/read/load';
import { checkLoaded } from './check-loaded';
import { configText } from './config-inputs';
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
