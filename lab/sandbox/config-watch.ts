import { readFileSync } from 'node:fs';
import { watch } from 'chokidar';

/** An editor may truncate before it writes, or save several times in a row: wait until the content is stable. */
const STABLE = { stabilityThreshold: 150, pollInterval: 50 };
const LOOK_AGAIN_MS = 2_000;

/** Calls back when the content of one of the files has changed. */
export function watchFiles(paths: readonly string[], onChange: () => void): { close(): Promise<void> } {
  const read = () => paths.map(contentOf).join('\u0000');
  let before = read();
  const look = () => {
    const now = read();
    if (now === before) return;
    before = now;
    onChange();
  };
  const watcher = watch([...paths], { ignoreInitial: true, awaitWriteFinish: STABLE });
  // Network and container mounts send no events, and a system may run out of watches, so poll as well.
  const slow = setInterval(look, LOOK_AGAIN_MS);
  slow.unref();
  watcher
    .on('all', look)
    .on('ready', look)
    .on('error', () => {});
  return {
    close: () => {
      clearInterval(slow);
      return watcher.close();
    },
  };
}

/** A file may be missing for a moment, while an editor renames it. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
