import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_SOURCES } from '../../../../shared/core/events/event-sources';
import { parseEvent } from '../../../../shared/core/events/parse-event';
import { sourcesTable } from '../../../../shared/core/events/sources-table';

const FOLDER = join(__dirname, '../../../../shared/core/events');

const files = readdirSync(FOLDER).filter((file) => 'sample' in require(join(FOLDER, file)));

test('every source has a file with a sample', () => {
  expect(files.length).toBeGreaterThanOrEqual(7);
});

describe.each(files)('%s', (file) => {
  const { sample, ...sources } = require(join(FOLDER, file));

  test('is registered', () => {
    const known: unknown[] = [...EVENT_SOURCES];
    expect(Object.values(sources).some((source) => known.includes(source))).toBe(true);
  });

  test('has a sample that is read as what it is', () => {
    const event = parseEvent(sample, 0);
    expect(event).toBeDefined();
    const causes = Object.values(sources).map((source) => (source as { cause?: string }).cause);
    if (event?.kind === 'interruption') expect(causes).toContain(event.cause);
  });
});

test('the table in docs/adding-an-event.md is the one that the sources make', () => {
  expect(readFileSync('docs/adding-an-event.md', 'utf8')).toContain(sourcesTable());
});
