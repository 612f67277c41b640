import type { ServerResponse } from 'node:http';
import type { Snapshot } from '../snapshot/snapshot';

const FRAME_MS = 220;
const KEEP_ALIVE_MS = 15_000;
/** A page that reads too slowly gets fewer frames instead of a longer queue. */
const MAX_UNSENT_BYTES = 1_000_000;

/** Sends the snapshot to every connected page, a few times a second and only if it has changed. */
export class SnapshotStream {
  private readonly pages = new Set<ServerResponse>();
  private timer: NodeJS.Timeout | undefined;
  private last = '';
  private lastSentAt = 0;

  constructor(private readonly snapshot: () => Snapshot) {}

  add(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'keep-alive' });
    this.pages.add(response);
    response.on('close', () => this.remove(response));
    response.write(`retry: 1000\n\n${frame(JSON.stringify(this.snapshot()))}`);
    this.timer ??= setInterval(() => this.tick(), FRAME_MS);
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const page of this.pages) page.end();
    this.pages.clear();
  }

  private remove(response: ServerResponse): void {
    this.pages.delete(response);
    if (this.pages.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(): void {
    const text = JSON.stringify(this.snapshot());
    const now = Date.now();
    if (text !== this.last) this.send(frame(text));
    else if (now - this.lastSentAt > KEEP_ALIVE_MS) this.send(': keep-alive\n\n');
    else return;
    this.last = text;
    this.lastSentAt = now;
  }

  private send(chunk: string): void {
    for (const page of this.pages) if (page.writableLength < MAX_UNSENT_BYTES) page.write(chunk);
  }
}

function frame(data: string): string {
  return `data: ${data}\n\n`;
}
