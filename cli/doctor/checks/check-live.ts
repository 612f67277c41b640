import { LIVE_SCHEDULES } from '../../../shared/core/basics/names';
import { liveProblemText, loadLive } from '../../../shared/core/config/read/load-live';
import { checkParts } from '../../../shared/core/live/check-parts';
import { type LiveConfigMap, liveTextOf } from '../../../shared/core/live/live-text';
import { type Context, error, type Findings, warning } from './finding';

/** The live schedules must be readable as they stand, and have an effect on what the config deploys. */
export function* checkLive(found: LiveConfigMap | undefined, { config, now, commands }: Context): Findings {
  const seen = liveTextOf(found, now);
  const about = `ConfigMap ${LIVE_SCHEDULES}`;
  const fix = `correct the text, then run ${commands.headstart('status')} a minute later`;
  const refused = (evidence: string) => error(about, 'does not count; what was valid before does', evidence, fix);
  if (seen.kind === 'gone') return;
  if (seen.kind !== 'text') return yield refused(seen.problem);
  const loaded = loadLive({ file: seen.key, text: seen.text });
  if (!loaded.ok) return yield refused(liveProblemText(loaded.problems, seen.text));
  for (const evidence of checkParts(loaded.parts, config, seen).problems)
    yield warning(about, 'has parts without effect on what this config deploys', evidence, fix);
}
