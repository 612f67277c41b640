import { readFileSync, writeFileSync } from 'node:fs';
import { ConfigInput } from '../../../../../shared/core/config/schema/config-schema';
import { LiveInput } from '../../../../../shared/core/config/schema/live-schema';
import { IS_WRITING } from '../../../../golden/is-writing';
import { describeKeys } from './schema-keys';

const FILE = `${__dirname}/schema-keys.txt`;

/** If a change is meant: `npm run golden`, and read the difference. */
test('every key of headroom.yaml and of live schedules takes what it took, and says of the rest what to write', () => {
  const now = [...describeKeys(ConfigInput, 'config'), ...describeKeys(LiveInput, 'live')];
  if (IS_WRITING) writeFileSync(FILE, `${now.join('\n')}\n`);
  expect(`${now.join('\n')}\n`.split('\n')).toEqual(readFileSync(FILE, 'utf8').split('\n'));
});
