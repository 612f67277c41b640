import { Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { formatDuration, spanText } from '../../shared/core/basics/duration';
import type { HeadroomConfig } from '../../shared/core/config/config';
import { isOpen } from '../../shared/core/windows/is-open';
import type { CronWindow, Window } from '../../shared/core/windows/window';
import { amount } from '../../shared/drawing/amounts';
import type { ProposedWindow } from '../learning/proposal';
import { unitOfDemand } from '../learning/unit-of-demand';
import { isWhy, whyText } from './explain';
import { mergeRetired, writtenWindows } from './merge-retired';
import type { Suggestion } from './suggestion';

const WEEK_MINUTES = 7 * 24 * 60;
const STEP = 5 * 60_000;
/** A Monday in a week without clock changes. */
const SOME_MONDAY = Date.UTC(2026, 5, 1);

export interface Merged {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Writes the proposals into a config file: comments, names and one-off windows stay. */
export function mergeInto(text: string, suggestions: readonly Suggestion[]): Merged {
  if (suggestions.every(({ advice }) => advice !== 'change' && advice !== 'retire')) return { text, notes: [] };
  const document = parseDocument(text);
  const notes = suggestions.flatMap((suggestion) => mergePool(document, suggestion));
  return { text: document.toString({ lineWidth: 0, flowCollectionPadding: true }), notes };
}

function mergePool(document: Document, suggestion: Suggestion): readonly string[] {
  const { pool, lesson, config, advice } = suggestion;
  const path = ['nodePools', pool];
  if (advice === 'retire') return mergeRetired(document, suggestion);
  if (advice !== 'change') return [];
  if (!config) return [`${pool} is not in the config; add it with its unit and max, and run suggest again`];
  const room = lesson.shape === 'room';
  if (!room && config.unit.kind !== 'floor')
    return [`${pool}: a floor needs the unit floor with the size of your nodes; write it and run suggest again`];
  if (!isMap(document.getIn(path))) document.setIn(path, document.createNode({}));
  const isConstant = lesson.windows.length === 0;
  if (lesson.base !== config.base && (isConstant || room)) document.setIn([...path, 'base'], lesson.base);
  const notes = [
    ...changeLead(document, path, suggestion),
    ...(room && config.unit.kind === 'floor' && lesson.highest > 0 ? [changeUnit(document, path, config)] : []),
  ];
  return [...notes, ...mergeSchedules(document, path, suggestion)];
}

/** Windows are only right with the lead time that they were learned for. */
function changeLead(document: Document, path: readonly string[], { pool, config, lesson, leadMinutes }: Suggestion) {
  if (!config || config.leadMinutes === leadMinutes || lesson.windows.length === 0) return [];
  const lead = formatDuration(leadMinutes * 60);
  if (config.autoLead) return [`${pool}: leadTime is auto; these windows were learned for ${spanText(leadMinutes)}`];
  const scalar = document.getIn([...path, 'leadTime'], true);
  if (isScalar(scalar)) scalar.value = lead;
  else document.setIn([...path, 'leadTime'], lead);
  const before = config.leadMinutes === 0 ? 'not set' : spanText(config.leadMinutes);
  return [`${pool}: leadTime was ${before}; it is now ${spanText(leadMinutes)}, for which the windows were learned`];
}

/** Changes a floor to room for the pods that the history was counted in. */
function changeUnit(document: Document, path: readonly string[], config: HeadroomConfig): string {
  const { cpu = '', memory = '' } = unitOfDemand(config);
  const [cores, gib] = [Number.parseInt(cpu, 10) / 1_000, Number.parseInt(memory, 10) / 1_024];
  const node = {
    ...(cpu !== '' && { cpu: Number.isInteger(cores) ? cores : cpu }),
    ...(memory !== '' && { memory: Number.isInteger(gib) ? `${gib}Gi` : memory }),
  };
  const requests = document.createNode(node);
  requests.flow = true;
  document.setIn([...path, 'unit'], document.createNode({ node: requests }));
  return `${config.name}: the unit was floor; it is now node, with free room on each for ${Object.entries(node)
    .map(([key, value]) => `${key} ${value}`)
    .join(' and ')}: make it the size of your largest pod`;
}

interface Recurring {
  readonly node: YAMLMap;
  readonly window: CronWindow;
}

function isRecurring(one: { readonly node: unknown; readonly window?: Window | undefined }): one is Recurring {
  return isMap(one.node) && one.window?.kind === 'cron';
}

function mergeSchedules(document: Document, path: readonly string[], suggestion: Suggestion): readonly string[] {
  const { pool, lesson, config } = suggestion;
  const at = [...path, 'schedules'];
  const { list, windows: existing } = writtenWindows(document, at, config);
  const left = new Set(existing.filter(isRecurring));
  const kept = existing.filter((one) => !isRecurring(one)).map(({ node }) => node);
  for (const node of kept) if (isMap(node) && lesson.shape === 'room') asRoom(node);
  const names = new Set(existing.flatMap(({ window }) => (window ? [window.name] : [])));
  const written = lesson.windows.map((proposed) => {
    const same = [...left].find(({ window }) => window === proposed.window);
    if (same) {
      left.delete(same);
      return same.node;
    }
    const match = [...left].reduce<Recurring | undefined>((best, one) => {
      const both = overlap(one.window, proposed.window);
      return both > 0 && both > (best ? overlap(best.window, proposed.window) : 0) ? one : best;
    }, undefined);
    if (match) left.delete(match);
    return writeWindow(document, proposed, suggestion, { node: match?.node, names });
  });
  list.items = [...written, ...kept];
  if (list.items.length === 0) document.deleteIn(at);
  else if (!isSeq(document.getIn(at))) document.setIn(at, list);
  return [...left].map(({ window }) => {
    const hours = amount((window.replicas * overlap(window, window)) / 60);
    return `${pool}: ${window.name} is removed: the proposal has no window at that time; it held up to ${hours} node-hours a week`;
  });
}

/** Only a floor can add to the existing nodes. */
function asRoom(window: YAMLMap): void {
  const added = window.items.find(({ key }) => isScalar(key) && key.value === 'addNodes');
  if (added && isScalar(added.key)) added.key.value = 'desiredReplicas';
}

/** An existing window keeps its name, comments and dates. */
function writeWindow(
  document: Document,
  proposed: ProposedWindow,
  suggestion: Suggestion,
  { node, names }: { readonly node: YAMLMap | undefined; readonly names: Set<string> },
): YAMLMap {
  const { window } = proposed;
  const name = freeName(window.name, names);
  const map = node ?? (document.createNode({ name }) as YAMLMap);
  const values: Record<string, string | number> = {
    timezone: window.timezone,
    start: window.startText,
    end: window.endText,
    [window.relative ? 'addNodes' : 'desiredReplicas']: window.replicas,
  };
  if (!map.has('name')) values.name = name;
  names.add(String(map.get('name') ?? name));
  map.delete(window.relative ? 'desiredReplicas' : 'addNodes');
  for (const [key, value] of Object.entries(values)) {
    const scalar = map.get(key, true);
    // Setting the value of the existing node keeps its comment.
    if (isScalar(scalar)) scalar.value = value;
    else map.set(key, value);
  }
  if (!map.commentBefore || isWhy(map.commentBefore)) map.commentBefore = ` ${whyText(suggestion, proposed)}`;
  return map;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let [free, suffix] = [name, 2];
  for (; taken.has(free); suffix += 1) free = `${name}-${suffix}`;
  return free;
}

/** How many minutes of a week two windows share. */
function overlap(a: Window, b: CronWindow): number {
  let both = 0;
  for (let minute = 0; minute < WEEK_MINUTES; minute += STEP / 60_000) {
    const at = SOME_MONDAY + minute * 60_000;
    if (isOpen(a, at) && isOpen(b, at)) both += STEP / 60_000;
  }
  return both;
}

/** Only the pools of the proposal, for display. */
export function snippetOf(merged: string, pools: readonly string[]): string {
  const document = parseDocument(merged);
  const all = document.get('nodePools');
  if (!isMap(all)) return '';
  all.items = all.items.filter(({ key }) => isScalar(key) && pools.includes(String(key.value)));
  const part = new Document({});
  part.contents = part.createNode({}) as never;
  (part.contents as unknown as YAMLMap).set('nodePools', all);
  return part.toString({ lineWidth: 0 });
}
