import { amount } from '../../shared/drawing/amounts';
import { localTime, withBareMoments } from '../../shared/drawing/local-time';
import { escapeMarkup } from '../../shared/drawing/markup';
import { columns, htmlTable, page } from '../../shared/drawing/page';
import type { PlanModel, PoolPlan } from '../../shared/drawing/plan-model';
import { isSteady, poolSvg } from '../../shared/drawing/plan-svg';
import { costTexts, periodText, planTexts, priceNote } from '../../shared/drawing/plan-text';
import { plannedText } from '../../shared/drawing/size-text';
import type { PlanComparison, PoolComparison } from './compare-plans';
import { editText, figuresChange } from './comparison-text';

const FIGURES = columns('NodePool', 'peak #', 'node-hours #', 'cost #', 'peak held all the time #');
const CHANGES = columns('when', 'replicas #', 'why');
const WINDOWS = columns('window', 'replicas #', 'when', 'occurrences #');

export interface NamedComparison extends PlanComparison {
  readonly files: { readonly before: string; readonly after: string };
}

export function planHtml(model: PlanModel, comparison?: NamedComparison): string {
  const { clusterName, pools } = model;
  const title = `Headroom of ${clusterName}`;
  return page(
    title,
    [
      `<h1>${escapeMarkup(title)}</h1>`,
      `<p class="soft">${escapeMarkup(periodText(model))}. Alarm boosts, interruption surges and overrides come on top.</p>`,
      comparison ? `<p>${escapeMarkup(filesText(comparison.files))}</p>` : '',
      htmlTable(FIGURES, pools.map(figureRow)),
      `<p class="soft">${escapeMarkup(priceNote(pools) ?? '')}</p>`,
      ...pools.map((pool) => poolSection(pool, model, comparison)),
      ...(comparison?.pools ?? [])
        .filter(({ kind }) => kind === 'removed')
        .map((pool) => removedSection(pool, comparison?.files.before)),
    ].join('\n'),
  );
}

function figureRow(pool: PoolPlan): string[] {
  const { name, figures } = pool;
  const { nodeHours, constantNodeHours } = figures;
  const { planned, held } = costTexts(figures);
  const hours = constantNodeHours === undefined ? '' : `${amount(constantNodeHours)} node-hours`;
  const bare = (text: string) => text.replace(/^, /, '') || '–';
  return [
    name,
    planTexts(pool).peak,
    nodeHours === undefined ? '–' : amount(nodeHours),
    bare(planned),
    bare(hours + held),
  ];
}

function filesText({ before, after }: NamedComparison['files']): string {
  return `compared with ${before}: the area is ${after}, the dashed line is ${before}`;
}

function poolSection(pool: PoolPlan, model: PlanModel, comparison?: NamedComparison): string {
  const compared = comparison?.pools.find(({ name }) => name === pool.name);
  const { facts, usage, steady, counted } = planTexts(pool);
  if (isSteady(pool, compared?.before) && (compared === undefined || compared.kind === 'same'))
    return `<section><p><b>${escapeMarkup(pool.name)}</b> <span class="soft">${escapeMarkup(steady)}</span></p></section>`;
  const { name, timezone, steps, windows } = pool;
  const changes = steps.map((step, index) => {
    const before = steps[index - 1];
    const size = `${before ? `${plannedText(before)} → ` : ''}${plannedText(step)}`;
    return [localTime(timezone, step.at), size, withBareMoments(step.reasons.join('; '), timezone, step.at)];
  });
  const rules = windows.map((window) => [window.name, window.size, window.rule, String(window.spans.length)]);
  return [
    `<section><h2>${escapeMarkup(name)}</h2>`,
    `<p class="soft">${escapeMarkup(facts)}</p>`,
    poolSvg(pool, model, compared?.before),
    compared ? comparisonHtml(compared, comparison?.files.before) : '',
    `<p>${escapeMarkup(usage)}</p>`,
    counted === undefined ? '' : `<p class="soft">${escapeMarkup(counted)}</p>`,
    rules.length === 0 ? '' : htmlTable(WINDOWS, rules),
    `<details${changes.length <= 12 ? ' open' : ''}><summary>changes, in ${escapeMarkup(timezone)}</summary>${htmlTable(CHANGES, changes)}</details></section>`,
  ].join('\n');
}

function comparisonHtml(compared: PoolComparison, before = 'the config before'): string {
  const edits = compared.edits.map((edit) => {
    const { mark, text } = editText(edit);
    return `<li><code>${escapeMarkup(`${mark} ${text}`)}</code></li>`;
  });
  const line = compared.before && compared.after ? `the dashed line shows ${before}; ` : '';
  return `<p>${compared.kind}: ${escapeMarkup(line)}${escapeMarkup(figuresChange(compared))}</p><ul>${edits.join('')}</ul>`;
}

function removedSection(compared: PoolComparison, before?: string): string {
  return `<section><h2>${escapeMarkup(compared.name)}</h2>${comparisonHtml(compared, before)}</section>`;
}
