import type { Log } from '../../core/ports/ports';
import { writeLine } from './write-line';

type Write = (line: string) => void;

/** One JSON line per message, for CloudWatch Logs Insights. */
export function jsonLog(write: Write = writeLine): Log {
  const line = (level: string) => (message: string, fields: Readonly<Record<string, unknown>>) =>
    write(JSON.stringify({ level, message, ...fields }, plainError));
  return { info: line('info'), warn: line('warn'), error: line('error') };
}

function plainError(_key: string, value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value;
}
