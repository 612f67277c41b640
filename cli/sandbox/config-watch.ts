import { readFileSync } from 'node:fs';
import { watch } from 'chokidar';

/** An editor may truncate and write, or save several times at once: the content counts once it is still. */
const STABLE = { stabilityThreshold: 150, pollInterval: 50 };
const LOOK_AGAIN_MS = 2_000;

/** Calls back when one of the files has other content than before. */
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
  // Network and container mounts send no events, and a system may run out of watches: then this finds the change.
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

/** A file that is missing for a moment, while an editor renames, has no content yet. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
