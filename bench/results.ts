import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

const FILE = 'docs/benchmarks.md';

/** Puts a section between its markers and leaves the rest of the page alone. */
export function writeSection(name: string, body: string, file = FILE): void {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '# Benchmarks\n';
  const section = `${begin}\n${body.trim()}\n${end}`;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  const next =
    from >= 0 && to > from
      ? page.slice(0, from) + section + page.slice(to + end.length)
      : `${page.trimEnd()}\n\n${section}\n`;
  writeFileSync(file, next);
}

export function machineFacts(): string {
  const [cpu] = cpus();
  const [, , load = 0] = loadavg();
  return `Node.js ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, load average ${load.toFixed(0)}`;
}
