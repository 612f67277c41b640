import { HighestWindow } from '../../../../shared/core/windows/highest-window';
import { counted } from './counted-window';
import { at, cronWindow, iso, onceWindow } from './sample-windows';

const now = at('2026-11-16T10:00:00Z');
const END = '2026-11-30T00:00';
const sight = { leadOf: () => 0, until: at(`${END}Z`), maxLooks: 100 };
const window = (name: string, replicas: number, start: string, end: string) =>
  cronWindow(`${start} * * *`, `${end} * * *`, 'UTC', { name, replicas });
const always = window('always', 1, '0 *', '0 3');
const day = window('day', 4, '0 9', '0 17');
const lunch = window('lunch', 6, '30 11', '30 13');

type Windows = readonly ReturnType<typeof window>[];

function highest(windows: Windows, from: string, more: Partial<typeof sight> = {}) {
  const found = new HighestWindow(windows, { ...sight, ...more }).at(at(`${from}Z`));
  return found && { name: found.window?.name, until: iso(found.until)?.slice(0, 16) };
}

describe('the highest window', () => {
  test.each<[string, Windows, string, string | undefined, string]>([
    ['of none is none until the end of sight', [], '2026-11-16T10:00', undefined, END],
    ['is none before the first opens', [day], '2026-11-16T08:00', undefined, '2026-11-16T09:00'],
    ['is the open one until it closes', [day], '2026-11-16T10:00', 'day', '2026-11-16T17:00'],
    ['is the lower one until a higher one opens', [day, lunch], '2026-11-16T10:00', 'day', '2026-11-16T11:30'],
    ['is the higher one wherever it stands', [day, lunch], '2026-11-16T12:00', 'lunch', '2026-11-16T13:30'],
    ['is the higher one where it stands first', [lunch, day], '2026-11-16T12:00', 'lunch', '2026-11-16T13:30'],
    ['is the first of equals', [day, { ...day, name: 'twin' }], '2026-11-16T12:00', 'day', '2026-11-16T17:00'],
    ['is the lower one after the higher one closed', [day, lunch], '2026-11-16T13:30', 'day', '2026-11-16T17:00'],
    ['is none until the first of several opens', [lunch, day], '2026-11-16T18:00', undefined, '2026-11-17T09:00'],
  ])('%s', (_name, windows, from, is, until) => {
    expect(highest(windows, from)).toEqual({ name: is, until });
  });

  test('opens ahead by the lead time', () => {
    expect(highest([day], '2026-11-16T08:50', { leadOf: () => 10 })?.name).toBe('day');
    expect(highest([day], '2026-11-16T08:40', { leadOf: () => 10 })).toEqual({
      name: undefined,
      until: '2026-11-16T08:50',
    });
  });

  test('is not looked at beyond the end of sight', () => {
    const until = at('2026-11-16T12:00:00Z');
    expect(highest([day], '2026-11-16T10:00', { until })).toEqual({ name: 'day', until: '2026-11-16T12:00' });
  });

  test('that happened once is over for good', () => {
    const sale = onceWindow('2026-11-16T09:00', '2026-11-16T17:00');
    const windows = new HighestWindow([sale], sight);
    expect(windows.at(now)?.until).toBe(at('2026-11-16T17:00:00Z'));
    expect(windows.at(at('2026-11-16T17:00:00Z'))).toEqual({ until: sight.until });
  });
});

describe('looks', () => {
  test('are spent on a window only when what is known of it has passed', () => {
    const windows = new HighestWindow([day], { ...sight, maxLooks: 2 });
    const moments = ['10:00', '12:00', '16:59', '17:00', '20:00'];
    for (const time of moments) expect(windows.at(at(`2026-11-16T${time}:00Z`))).toBeDefined();
    expect(windows.at(at('2026-11-17T08:59:59Z'))?.window).toBeUndefined();
    expect(windows.at(at('2026-11-17T09:00:00Z'))).toBeUndefined();
  });

  test('that are used up leave what comes next out of sight', () => {
    expect(highest([day], '2026-11-16T10:00', { maxLooks: 0 })).toBeUndefined();
    expect(highest([day, lunch], '2026-11-16T10:00', { maxLooks: 1 })).toBeUndefined();
    expect(highest([day, lunch], '2026-11-16T10:00', { maxLooks: 2 })).toBeDefined();
  });

  test('are not spent on windows below one that is open', () => {
    const hidden = counted(always);
    const windows = new HighestWindow([hidden.window, day], { ...sight, maxLooks: 1 });
    const before = hidden.reads();
    expect(windows.at(now)?.window?.name).toBe('day');
    expect(hidden.reads()).toBe(before);
  });
});
