import { amount, moneyText, signed } from '../../shared/drawing/amounts';
import type { PlanFigures } from '../../shared/drawing/plan-model';
import { plus, times } from '../../shared/pricing/money';
import type { Edit, PoolComparison } from './compare-plans';

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

/** `+ window lunch: 6, ...`, `- ...`, `~ max 8 → 12`. */
export function editText(edit: Edit): { readonly mark: '+' | '-' | '~'; readonly text: string } {
  const { what, before, after } = edit;
  if (before === undefined) return { mark: MARKS.added, text: `${what}: ${after}` };
  if (after === undefined) return { mark: MARKS.removed, text: `${what}: ${before}` };
  return { mark: MARKS.changed, text: `${what}: ${before} → ${after}` };
}

export function figuresChange({ before, after }: Pick<PoolComparison, 'before' | 'after'>): string {
  const change = (
    was: number | undefined,
    is: number | undefined,
    write: (value: number) => string,
    unit: string,
  ): string[] => {
    if (was === undefined && is === undefined) return [];
    const [old, now] = [was ?? 0, is ?? 0];
    const same = Math.abs(now - old) < 1e-9;
    return [
      same ? `${write(now)}${unit} as before` : `${write(old)} → ${write(now)}${unit} (${signed(now - old, write)})`,
    ];
  };
  const [was, is] = [before?.figures, after?.figures];
  const hours = change(was?.nodeHours, is?.nodeHours, amount, ' node-hours');
  const slices = hours.length > 0 ? [] : change(was?.replicaHours, is?.replicaHours, amount, ' slice-hours');
  const cost = [...costChange('cost', was, is), ...costChange('monthlyCost', was, is, ' a month')];
  const atMost = was?.relative || is?.relative ? 'at most ' : '';
  return atMost + [...hours, ...slices, ...cost].join(', ');
}

/** A cost that only one side has cannot be compared, unless the pool was added or removed. */
function costChange(
  which: 'cost' | 'monthlyCost',
  was: PlanFigures | undefined,
  is: PlanFigures | undefined,
  unit = '',
): string[] {
  const known = is?.[which] ?? was?.[which];
  if (!known) return [];
  if (was && is && !(was[which] && is[which])) return [`${moneyText(known)}${unit} where a price is known`];
  const none = times(known, 0);
  const [old, now] = [was?.[which] ?? none, is?.[which] ?? none];
  const { low, high } = plus(now, times(old, -1));
  if (Math.max(Math.abs(low), Math.abs(high)) < 1e-9) return [`${moneyText(now)}${unit} as before`];
  const by = { low: Math.min(low, high), high: Math.max(low, high), currency: now.currency };
  return [`${moneyText(old)} → ${moneyText(now)}${unit} (${by.low > 0 ? '+' : ''}${moneyText(by)})`];
}
