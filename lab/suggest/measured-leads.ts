import { openAccess } from '../../cli/functions/open-access';
import type { AccessOptions } from '../../cli/input/access-options';
import type { Terminal } from '../../cli/terminal/terminal';
import { count } from '../../shared/core/basics/count';
import { spanText } from '../../shared/core/basics/duration';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import { type LeadTime, leadTimeOf } from '../../shared/core/occurrences/lead-time';

/** The config with the lead times that were measured where they are `auto`, and what is known of them in sentences. */
export async function withMeasuredLeads(options: AccessOptions, config: Config, terminal: Terminal) {
  const isAuto = config.headrooms.some(({ autoLead }) => autoLead);
  const isReachable = options.kubeconfig !== undefined || options.function !== undefined;
  const access = isAuto && isReachable ? await openAccess(options, config, terminal) : undefined;
  const response = await access?.send({ status: true });
  const known = response && 'status' in response ? response.status : [];
  const notes: string[] = [];
  const headrooms = config.headrooms.map((pool): HeadroomConfig => {
    if (!pool.autoLead) return pool;
    const record = known.find(({ headroom }) => headroom === pool.name)?.intents ?? {};
    const lead = leadTimeOf(pool, record);
    notes.push(`${pool.name}: leadTime is auto; ${leadText(lead, isReachable)}`);
    return { ...pool, leadMinutes: lead.minutes };
  });
  return { config: { ...config, headrooms }, notes };
}

/** Without a window it is learned for as many nodes as any window may ask for. */
function leadText({ minutes, nodes = 0, took, together = 0 }: LeadTime, isReachable: boolean): string {
  const lead = spanText(minutes);
  if (took !== undefined)
    return `95 % of ${nodes} nodes took up to ${spanText(took)}, so windows of up to ${count(together, 'node')} are learned for ${lead}`;
  const start = `windows are learned for its start value, ${lead}`;
  return isReachable
    ? `too few nodes were measured (${nodes}), so ${start}`
    : `${start}; add --kubeconfig FILE or --function NAME to learn for what was measured`;
}
