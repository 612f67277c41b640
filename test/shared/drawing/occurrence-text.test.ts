import type { RequestedOccurrence } from '../../../shared/core/occurrences/requests';
import { isLate, leadText, occurrenceText } from '../../../shared/drawing/occurrence-text';
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
const LUNCH = 'lunch (11:30 Asia/Seoul)';

test.each([
  { now: '11:27', occurrence: occurrence(), text: `Nodes are requested for ${LUNCH}, not ready yet`, late: false },
  {
    now: '12:00',
    occurrence: occurrence({ ready: at('11:27') }),
    text: `Nodes were ready 3 min before ${LUNCH}`,
    late: false,
  },
  {
    now: '12:00',
    occurrence: occurrence({ ready: at('11:30') }),
    text: `Nodes were ready at the start of ${LUNCH}`,
    late: false,
  },
  {
    now: '12:00',
    occurrence: occurrence({ ready: at('11:30') + 59_999, why }),
    text: `Nodes were ready at the start of ${LUNCH}`,
    late: false,
  },
  {
    now: '12:00',
    occurrence: occurrence({ ready: at('11:31') }),
    text: `Nodes were 1 min late for ${LUNCH}`,
    late: true,
  },
  {
    now: '12:00',
    occurrence: occurrence({ ready: at('11:41'), why }),
    text: `Nodes were 11 min late for ${LUNCH}: ${why}`,
    late: true,
  },
  {
    now: '11:30',
    occurrence: occurrence(),
    text: `Nodes are not ready for ${LUNCH}, which has just begun`,
    late: true,
  },
  {
    now: '13:29',
    occurrence: occurrence({ why }),
    text: `Nodes are not ready for ${LUNCH}, 1 h 59 min late so far: ${why}`,
    late: true,
  },
  { now: '13:30', occurrence: occurrence({ why }), text: `Nodes were never ready for ${LUNCH}: ${why}`, late: true },
  {
    now: '12:00',
    occurrence: occurrence({ window: 'gone' }),
    text: 'Nodes were never ready for gone (11:30 Asia/Seoul)',
    late: true,
  },
  {
    now: '11:40',
    occurrence: occurrence({ why: '1 node is still starting, since 2026-11-17T02:26Z' }),
    text: `Nodes are not ready for ${LUNCH}, 10 min late so far: 1 node is still starting, since 11:26`,
    late: true,
  },
])('at $now: $text', ({ now, occurrence: shown, text, late }) => {
  const showing = { windows: [lunch], timezone: 'Asia/Seoul', now: at(now) };
  expect(occurrenceText(shown, showing)).toBe(text);
  expect(isLate(shown, [lunch], at(now))).toBe(late);
});

test.each([
  { lead: { minutes: 5 }, text: undefined },
  { lead: { minutes: 6, nodes: 2 }, text: 'auto, now 6 min: the start value, with 2 of 5 nodes known' },
  { lead: { minutes: 4, nodes: 40, took: 3 }, text: 'auto, now 4 min: 95 % of the last 40 nodes took up to 3 min' },
])('a lead time of $lead.minutes minutes: $text', ({ lead, text }) => {
  expect(leadText(lead)).toBe(text);
});
