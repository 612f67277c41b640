import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, firstMinute, movingPicture } from '../../../scripts/docs/first-minute';

const ROOT = join(__dirname, '../../..');
const images = join(ROOT, 'docs/images');
const MAX_BYTES = 1_500_000;

test('the pictures of README show the demo as it runs now', async () => {
  const peak = await firstMinute(ROOT);
  // npm run docs -- first-minute
  expect(readFileSync(join(images, 'first-minute.svg'), 'utf8')).toBe(movingPicture(peak));
  // UPDATE_PICTURES=1 npm run test:browser -- pictures
  const made = readFileSync(join(images, 'made-from.txt'), 'utf8');
  expect(made.trim()).toBe(`examples/demo.yaml and its figures: ${fingerprint(peak, ROOT)}`);
  expect(statSync(join(images, 'first-minute.svg')).size).toBeLessThan(MAX_BYTES);
});
