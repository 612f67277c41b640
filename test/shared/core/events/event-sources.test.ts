import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventSource } from '../../../../shared/core/events/event-source';
import { EVENT_SOURCES } from '../../../../shared/core/events/event-sources';
import { parseEvent } from '../../../../shared/core/events/parse-event';
import { loadEvent } from '../../../events/load-event';
import { sourcesTable } from './sources-table';

const FOLDER = join(__dirname, '../../../../shared/core/events');

/** Every file with a source that AWS sends; our own are in one file and have no content. */
const files = readdirSync(FOLDER)
  .filter((file) => file !== 'heartbeat-and-edges.ts' && sourcesIn(file).length > 0)
  .map((file) => file.replace(/\.ts$/, ''));

function sourcesIn(file: string): readonly EventSource[] {
  return Object.values<EventSource>(require(join(FOLDER, file))).filter((one) => typeof one?.detailType === 'string');
}

test('every source has a file', () => {
  expect(files).toHaveLength(EVENT_SOURCES.length - sourcesIn('heartbeat-and-edges.ts').length);
});

describe.each(files)('%s', (file) => {
  test('is registered', () => {
    expect(sourcesIn(file).filter((source) => !EVENT_SOURCES.includes(source))).toEqual([]);
  });

  test('has a real event in test/events that is read as what it is', () => {
    const event = parseEvent(loadEvent(file), 0);
    expect(event).toBeDefined();
    const causes = sourcesIn(file).map((source) => (source as { cause?: string }).cause);
    if (event?.kind === 'interruption') expect(causes).toContain(event.cause);
  });
});

test('the table in docs/adding-an-event.md is the one that the sources make', () => {
  expect(readFileSync('docs/adding-an-event.md', 'utf8')).toContain(sourcesTable());
});
