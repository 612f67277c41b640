import type { ServerResponse } from 'node:http';
import type { Snapshot } from '../snapshot/snapshot';
import { Frames } from './frames';

const FRAME_MS = 220;
const KEEP_ALIVE_MS = 15_000;
/** A page that reads too slowly gets fewer frames instead of a longer queue. */
const MAX_UNSENT_BYTES = 1_000_000;

/** Sends the snapshot to every connected page, a few times a second: at first all of it, then what has changed. */
export class SnapshotStream {
  /** Those that missed a frame need all of it again. */
  private readonly pages = new Map<ServerResponse, { isBehind: boolean }>();
  private frames = new Frames();
  private timer: NodeJS.Timeout | undefined;
  private last = '';
  private lastSentAt = 0;

  constructor(private readonly snapshot: () => Snapshot) {}

  add(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'keep-alive' });
    response.write('retry: 1000\n\n');
    this.pages.set(response, { isBehind: true });
    response.on('close', () => this.remove(response));
    this.tick();
    this.timer ??= setInterval(() => this.tick(), FRAME_MS);
  }

  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const page of this.pages.keys()) page.end();
    this.pages.clear();
  }

  private remove(response: ServerResponse): void {
    this.pages.delete(response);
    if (this.pages.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(): void {
    const snapshot = this.snapshot();
    const text = this.frames.next(snapshot);
    const now = Date.now();
    const isNews = text !== this.last;
    if (isNews) this.lastSentAt = now;
    else if (now - this.lastSentAt > KEEP_ALIVE_MS) this.sendKeepAlive(now);
    this.last = text;
    let whole: string | undefined;
    for (const [page, state] of this.pages) {
      if (!state.isBehind && !isNews) continue;
      const isBusy = page.writableLength >= MAX_UNSENT_BYTES;
      if (!isBusy && state.isBehind) whole ??= new Frames().next(snapshot);
      if (!isBusy) page.write(`data: ${state.isBehind ? whole : text}\n\n`);
      state.isBehind = isBusy;
    }
  }

  private sendKeepAlive(now: number): void {
    for (const page of this.pages.keys()) page.write(': keep-alive\n\n');
    this.lastSentAt = now;
  }
}
