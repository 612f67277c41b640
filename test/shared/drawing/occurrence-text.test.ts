import type { RequestedOccurrence } from '../../../shared/core/record/requested-occurrences';
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

test.each([
  { now: '11:27', occurrence: occurrence(), text: 'asked for, not ready yet', late: false },
  { now: '12:00', occurrence: occurrence({ ready: at('11:27') }), text: 'ready 3m before', late: false },
  { now: '12:00', occurrence: occurrence({ ready: at('11:30') }), text: 'ready at its start', late: false },
  {
    now: '12:00',
    occurrence: occurrence({ ready: at('11:30') + 59_999, why }),
    text: 'ready at its start',
    late: false,
  },
  { now: '12:00', occurrence: occurrence({ ready: at('11:31') }), text: 'late by 1m', late: true },
  { now: '12:00', occurrence: occurrence({ ready: at('11:41'), why }), text: `late by 11m: ${why}`, late: true },
  { now: '11:30', occurrence: occurrence(), text: 'not ready, late by 0s so far', late: true },
  { now: '13:29', occurrence: occurrence({ why }), text: `not ready, late by 1h59m so far: ${why}`, late: true },
  { now: '13:30', occurrence: occurrence({ why }), text: `never ready: ${why}`, late: true },
  { now: '12:00', occurrence: occurrence({ window: 'gone' }), text: 'never ready', late: true },
])('at $now: $text', ({ now, occurrence: shown, text, late }) => {
  const showing = { windows: [lunch], timezone: 'Asia/Seoul', now: at(now) };
  expect(occurrenceText(shown, showing)).toBe(`${shown.window} 11:30 Asia/Seoul: ${text}`);
  expect(isLate(shown, [lunch], at(now))).toBe(late);
});

test.each([
  { lead: { minutes: 5 }, text: undefined },
  { lead: { minutes: 6, nodes: 2 }, text: 'auto, now 6m: the start value, with 2 of 5 nodes known' },
  { lead: { minutes: 4, nodes: 40, took: 3 }, text: 'auto, now 4m: 95 % of the last 40 nodes took up to 3m' },
])('a lead time of $lead.minutes minutes: $text', ({ lead, text }) => {
  expect(leadText(lead)).toBe(text);
});
