import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

const SETTLED_MS = 150;
const LOOK_AGAIN_MS = 2_000;

/**
 * Calls back when one of the files has other content than before. Editors replace files in
 * many ways (rename, truncate and write, several saves at once), so the folder is watched, what
 * counts is the content once it has settled, and a slow look now and then catches what no event told.
 */
export function watchFiles(paths: readonly string[], onChange: () => void): { close(): void } {
  const read = () => paths.map(contentOf).join('\u0000');
  let before = read();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = read();
    if (now === before) return;
    before = now;
    onChange();
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, SETTLED_MS);
    timer.unref();
  };
  const slow = setInterval(look, LOOK_AGAIN_MS);
  slow.unref();
  const watchers = foldersOf(paths).flatMap(({ folder, names }) => watchFolder(folder, names, soon));
  return {
    close: () => {
      clearTimeout(timer);
      clearInterval(slow);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function foldersOf(paths: readonly string[]): { folder: string; names: Set<string> }[] {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const folder = dirname(resolve(path));
    folders.set(folder, (folders.get(folder) ?? new Set()).add(basename(path)));
  }
  return [...folders].map(([folder, names]) => ({ folder, names }));
}

/** Where the system cannot watch, the slow look is all there is. */
function watchFolder(folder: string, names: ReadonlySet<string>, onEvent: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_type, name) => {
      if (name === null || names.has(name)) onEvent();
    });
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

/** A file that is missing for a moment, while an editor renames, has no content yet. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
