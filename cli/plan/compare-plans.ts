import { formatDuration } from '../../shared/core/basics/duration';
import type { AutoLead, Config, HeadroomConfig } from '../../shared/core/config/config';
import { unitSize } from '../../shared/core/config/unit-text';
import { formatPath } from '../../shared/core/config/yaml/problem';
import type { Window } from '../../shared/core/windows/window';
import {
  type PlanModel,
  type PlannedStep,
  type PlanOptions,
  type PoolPlan,
  planModel,
  ruleOf,
  windowSize,
  zoneOfAll,
} from '../../shared/drawing/plan-model';
import { plannedText } from '../../shared/drawing/size-text';

export interface PlanComparison {
  readonly before: PlanModel;
  readonly after: PlanModel;
  readonly pools: readonly PoolComparison[];
}

export interface PoolComparison {
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'same';
  readonly edits: readonly Edit[];
  readonly differences: readonly Difference[];
  readonly before?: PoolPlan;
  readonly after?: PoolPlan;
}

export interface Edit {
  readonly what: string;
  readonly before?: string;
  readonly after?: string;
}

export interface Difference {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
  /** How many nodes are added to the existing ones, if a config does that. */
  readonly beforeAddNodes?: number;
  readonly afterAddNodes?: number;
}

/** Compares two configs over the same period; by default in the newer one's time zone. */
export function comparePlans(
  before: Config,
  after: Config,
  from: number,
  to: number,
  { timezone = zoneOfAll(after), ...rest }: PlanOptions = {},
): PlanComparison {
  const options = { timezone, ...rest };
  const [was, is] = [planModel(before, from, to, options), planModel(after, from, to, options)];
  const names = [...new Set([...after.headrooms, ...before.headrooms].map(({ name }) => name))];
  const pools = names.map((name) => {
    const [old, now] = [named(before.headrooms, name), named(after.headrooms, name)];
    const [oldPlan, newPlan] = [named(was.pools, name), named(is.pools, name)];
    const edits = editsOf(old, now);
    return {
      name,
      kind: kindOf(old, now, edits),
      edits,
      differences: differencesOf(oldPlan?.steps, newPlan?.steps, from, to),
      ...(oldPlan && { before: oldPlan }),
      ...(newPlan && { after: newPlan }),
    };
  });
  return { before: was, after: is, pools };
}

function named<T extends { readonly name: string }>(all: readonly T[], name: string): T | undefined {
  return all.find((one) => one.name === name);
}

function kindOf(before: unknown, after: unknown, edits: readonly Edit[]): PoolComparison['kind'] {
  if (!before) return 'added';
  if (!after) return 'removed';
  return edits.length === 0 ? 'same' : 'changed';
}

function editsOf(before: HeadroomConfig | undefined, after: HeadroomConfig | undefined): readonly Edit[] {
  const windows = windowEdits(before?.windows ?? [], after?.windows ?? []);
  if (!before || !after) return windows;
  return [...windows, ...edited(settingTexts(before), settingTexts(after))];
}

/** A window that was added or removed is one edit, a changed one is an edit per field. */
function windowEdits(before: readonly Window[], after: readonly Window[]): readonly Edit[] {
  const names = [...new Set([...after, ...before].map(({ name }) => name))];
  const whole = (window: Window) => `${windowSize(window)}, ${ruleOf(window)}`;
  return names.flatMap((name): readonly Edit[] => {
    const [was, is] = [named(before, name), named(after, name)];
    const what = `window ${name}`;
    if (was && is)
      return edited(fieldTexts(was), fieldTexts(is)).map((edit) => ({ ...edit, what: `${what} ${edit.what}` }));
    return [{ what, ...(was && { before: whole(was) }), ...(is && { after: whole(is) }) }];
  });
}

function fieldTexts(window: Window): ReadonlyMap<string, string> {
  const size = { [window.relative ? 'addNodes' : 'desiredReplicas']: window.replicas };
  const common = { ...size, timezone: window.timezone };
  const fields =
    window.kind === 'once'
      ? { ...common, from: window.from, to: window.to }
      : {
          ...common,
          start: window.startText,
          end: window.endText,
          excludeDates: window.excludeDates.join(', ') || 'none',
        };
  return new Map(Object.entries(fields).map(([key, value]) => [key, String(value)]));
}

/** Every key of the two maps whose text differs, in the order of the newer one. */
function edited(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Edit[] {
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((what) => {
    const [was, is] = [before.get(what), after.get(what)];
    if (was === is) return [];
    return [{ what, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
}

/** The settings by their names in the config file, where a floor's size is part of its unit. */
function settingTexts(pool: HeadroomConfig): ReadonlyMap<string, string> {
  const { name: _name, windows: _windows, liveBase: _source, leadMinutes, autoLead, unit, minNode, ...rest } = pool;
  const alarms = Object.fromEntries(
    rest.alarms.map(({ add, relative, ...alarm }) => [alarm.name, { [relative ? 'addNodes' : 'add']: add, ...alarm }]),
  );
  const size = { unit: { [unit.kind]: unitSize(pool) }, ...(unit.kind !== 'floor' && minNode && { minNode }) };
  const leaves = leavesOf({ ...size, ...rest, alarms }, []);
  return new Map([
    ['leadTime', autoLead ? autoText(leadMinutes, autoLead) : formatDuration(leadMinutes * 60)],
    ...leaves,
  ]);
}

function autoText(leadMinutes: number, { minMinutes, maxMinutes, heartbeatMinutes }: AutoLead): string {
  const [min, max, start] = [minMinutes, maxMinutes, leadMinutes - heartbeatMinutes].map((one) =>
    formatDuration(one * 60),
  );
  return `auto {min: ${min}, max: ${max}, start: ${start}}`;
}

function leavesOf(value: unknown, path: readonly PropertyKey[]): [string, string][] {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return [[formatPath(path), `[${value.join(', ')}]`]];
  if (typeof value !== 'object' || value === null) return [[formatPath(path), String(value)]];
  return Object.entries(value).flatMap(([key, child]) =>
    leavesOf(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function differencesOf(
  before: readonly PlannedStep[] = [],
  after: readonly PlannedStep[] = [],
  from: number,
  to: number,
): readonly Difference[] {
  const moments = [...new Set([from, ...[...before, ...after].map(({ at }) => at)])].sort((a, b) => a - b);
  return moments.flatMap((at, index) => {
    const [was, is] = [sizeAt(before, at), sizeAt(after, at)];
    if (plannedText(was) === plannedText(is)) return [];
    return [
      {
        from: at,
        to: moments[index + 1] ?? to,
        before: was.replicas,
        after: is.replicas,
        ...(was.uncounted !== undefined && { beforeAddNodes: was.uncounted }),
        ...(is.uncounted !== undefined && { afterAddNodes: is.uncounted }),
      },
    ];
  });
}

function sizeAt(steps: readonly PlannedStep[], at: number): Pick<PlannedStep, 'replicas' | 'uncounted'> {
  return steps.findLast((step) => step.at <= at) ?? { replicas: 0 };
}
