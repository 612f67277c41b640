import { join } from 'node:path';
import { loadConfig } from '../../../shared/core/config/read/load';
import { folderWith, runCli } from '../../cli/run-cli';

/** Imports one text as a file, and reads what came out as a config. */
export async function importText(source: string | undefined, text: string, ...more: string[]) {
  const file = join(folderWith({ 'input.yaml': text }), 'input.yaml');
  const run = await runCli(['import', ...(source === undefined ? [] : [source]), file, ...more]);
  const loaded = run.code === 0 ? loadConfig([{ file: 'headroom.yaml', text: run.out }]) : undefined;
  const config = loaded?.ok ? loaded.config : undefined;
  return { ...run, file, config, pools: config?.headrooms ?? [] };
}
