import { readFileSync, writeFileSync } from 'node:fs';
import { readRecord, writeRecord } from '../../shared/core/record/record-codec';
import { IS_WRITING } from '../golden/is-writing';
import { FULL_RECORD } from './full-record';
import { currentPins, PINS_FILE } from './pins';

// npm run golden
if (IS_WRITING) {
  const sorted = Object.entries(currentPins()).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(PINS_FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
const pinned: Record<string, unknown> = JSON.parse(readFileSync(PINS_FILE, 'utf8'));

/**
 * Another logical id, name or selector makes CloudFormation or Kubernetes replace what runs, and a record without a field
 * forgets what was ordered. Additions are free. If a change is meant: write how to upgrade into CHANGELOG.md, then npm run golden.
 */
test('what is deployed under a name keeps it: logical ids, physical names, outputs, selectors and fields of the record', () => {
  const now = currentPins();
  const changed = Object.keys(pinned).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(pinned[name]));
  expect(changed.map((name) => ({ name, pinned: pinned[name], now: now[name] }))).toEqual([]);
});

test('there are pins of every kind', () => {
  const names = Object.keys(pinned);
  for (const start of ['headroom: ', 'karpenter: ', 'record.', 'annotation ', 'cluster object ', 'Deployment selector'])
    expect(names.filter((name) => name.startsWith(start))).not.toEqual([]);
});

test('the record with every field is read as it was written', () => {
  expect(readRecord(writeRecord(FULL_RECORD))).toEqual({ record: FULL_RECORD });
});
