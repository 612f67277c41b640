import { LIVE_SCHEDULES } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { liveProblemText, loadLive } from '../../../shared/core/config/read/load-live';
import { checkParts } from '../../../shared/core/live/check-parts';
import { type LiveConfigMap, liveTextOf } from '../../../shared/core/live/live-text';
import type { Commands } from '../../input/commands';
import { error, type Finding } from './finding';

/** The live schedules must be readable as they stand, and have an effect on what the config deploys. */
export function checkLive(
  found: LiveConfigMap | undefined,
  config: Config,
  { now, commands }: { readonly now: number; readonly commands: Commands },
): Finding[] {
  const seen = liveTextOf(found, now);
  const about = `ConfigMap ${LIVE_SCHEDULES}`;
  const fix = `correct the text, then run ${commands.headstart('status')} a minute later`;
  const refused = (evidence: string) => [error(about, 'does not count; what was valid before does', evidence, fix)];
  if (seen.kind === 'gone') return [];
  if (seen.kind === 'broken') return refused(seen.problem);
  const loaded = loadLive({ file: seen.key, text: seen.text });
  if (!loaded.ok) return refused(liveProblemText(loaded.problems, seen.text));
  const { problems } = checkParts(loaded.parts, config, seen);
  const problem = 'has parts without effect on what this config deploys';
  return problems.map((evidence) => ({ severity: 'warning', about, problem, evidence, fix }));
}
