import type { RequestedOccurrence } from '../../../shared/core/occurrences/requests';
import { EMPTY_RECORD } from '../../../shared/core/record/record';
import { withMoments } from '../../../shared/drawing/local-time';
import { isLate, leadText, occurrenceText } from '../../../shared/drawing/occurrence-text';
import { golden } from '../../golden/golden';
import { cronWindow } from '../core/windows/sample-windows';

const at = (time: string) => Date.parse(`2026-11-17T${time}:00+09:00`);
const lunch = cronWindow('30 11 * * *', '30 13 * * *', 'Asia/Seoul', { name: 'lunch' });
const occurrence = (more: Partial<RequestedOccurrence> = {}): RequestedOccurrence => ({
  window: 'lunch',
  start: at('11:30'),
  at: at('11:25'),
  ...more,
});
const why = 'NodePool web uses 16 of its limit of 16 cpu';
const starting = '1 node is still starting, since 2026-11-17T02:26Z';
const said = golden(`${__dirname}/occurrence-text.txt`);

test.each([
  { name: 'requested', now: '11:27', late: false },
  { name: 'ready ahead', now: '12:00', more: { ready: at('11:27') }, late: false },
  { name: 'ready at its start', now: '12:00', more: { ready: at('11:30') }, late: false },
  { name: 'ready within a minute', now: '12:00', more: { ready: at('11:30') + 59_999, why }, late: false },
  { name: 'ready after a minute', now: '12:00', more: { ready: at('11:31') }, late: true },
  { name: 'ready late, and why', now: '12:00', more: { ready: at('11:41'), why }, late: true },
  { name: 'not ready as it begins', now: '11:30', late: true },
  { name: 'not ready until its last minute', now: '13:29', more: { why }, late: true },
  { name: 'never ready', now: '13:30', more: { why }, late: true },
  { name: 'of a window that is gone', now: '12:00', more: { window: 'gone' }, late: true },
  { name: 'waits for a node, by local time', now: '11:40', more: { why: starting }, late: true },
])('what is said of an occurrence: $name', ({ name, now, more = {}, late }) => {
  const shown = occurrence(more);
  said(name, withMoments(occurrenceText(shown, { windows: [lunch], now: at(now) }), 'Asia/Seoul', at(now)));
  expect(isLate(shown, [lunch], at(now))).toBe(late);
});

const autoLead = { minMinutes: 1, maxMinutes: 15, heartbeatMinutes: 1 };
const fixed = { leadMinutes: 5, unit: { kind: 'node', requests: {} }, max: 20, windows: [lunch] } as const;
const learned = { ...fixed, leadMinutes: 6, autoLead };
const night = cronWindow('0 1 * * *', '0 2 * * *', 'Asia/Seoul', { name: 'night', replicas: 1 });
test.each([
  { name: 'configured', pool: fixed, nodes: 0, text: undefined },
  { name: 'of no windows', pool: { ...learned, windows: [] }, nodes: 40, text: undefined },
  {
    name: 'with few nodes measured',
    pool: learned,
    nodes: 2,
    text: 'auto, now 6 min: the start value, with 2 of 5 nodes known',
  },
  {
    name: 'learned',
    pool: learned,
    nodes: 40,
    text: 'auto, now 4 min for 6 nodes: 95 % of the last 40 nodes took up to 3 min',
  },
  {
    name: 'learned for windows of several sizes',
    pool: { ...learned, windows: [lunch, night] },
    nodes: 40,
    slow: 1,
    text: 'auto, now 4 min for 1 node, 6 min for 6 nodes: 95 % of the last 40 nodes took up to 3 min',
  },
  {
    name: 'learned for slices',
    pool: { ...learned, unit: { kind: 'slice', requests: { cpu: '1' } } as const },
    nodes: 40,
    text: 'auto, now 4 min for up to 6 nodes: 95 % of the last 40 nodes took up to 3 min',
  },
  {
    name: 'learned for announced peaks',
    pool: { ...learned, windows: [], events: [] },
    nodes: 40,
    text: 'auto, now 4 min for 20 nodes: 95 % of the last 40 nodes took up to 3 min',
  },
])('a lead time $name: $text', ({ pool, nodes, slow = 0, text }) => {
  const nodeStarts = Object.fromEntries(
    Array.from({ length: nodes }, (_, index) => [`node-${index}`, index < slow ? 290 : 170]),
  );
  expect(leadText(pool, { ...EMPTY_RECORD, nodeStarts })).toBe(text);
});
