// How the processor time of report grows with windows and days; the ratio is to the row before, which has half as much:
// npm run bench -- report
import { loadConfig } from '../../shared/core/config/read/load';
import type { History, LogLine, Period } from '../../shared/report/history';
import { reportOf } from '../../shared/report/report';

const [MINUTE, DAY, ROUNDS] = [60_000, 86_400_000, 3];
const FROM = Date.UTC(2026, 10, 2);

/** Windows of half an hour, spread over the day. */
function configWith(windows: number) {
  const schedules = Array.from({ length: windows }, (_, index) => {
    const [start, end] = [0, 30].map((more) => (Math.floor((index * 1_440) / windows) + more) % 1_440);
    const cron = (minute = 0) => `${minute % 60} ${Math.floor(minute / 60)} * * *`;
    return `{ name: w${index}, timezone: UTC, start: ${cron(start)}, end: ${cron(end)}, desiredReplicas: ${1 + (index % 9)} }`;
  });
  const pool = `{ max: 20, leadTime: 5m, price: 0.2, unit: { node: { cpu: 2, memory: 4Gi } }, schedules: [${schedules.join(', ')}] }`;
  const loaded = loadConfig([
    { file: 'x', text: `cluster: { name: shop, region: eu-west-1 }\nnodePools:\n  default: ${pool}` },
  ]);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config;
}

/** The size changes every few minutes; work takes some units every half hour; each window logs its verdict. */
function historyOf(windows: number, days: number): History {
  const periods = Array.from({ length: days * 1_440 }, (_, minute): Period => {
    const size = 1 + (Math.floor(minute / 3) % 9);
    const ready = minute % 30 < 3 ? Math.max(0, size - 2) : size;
    return {
      at: FROM + minute * MINUTE,
      ms: MINUTE,
      desired: { min: size, max: size },
      ready: { min: ready, max: ready },
    };
  });
  const lines = Array.from({ length: days * windows }, (_, index): LogLine => {
    const [day, window] = [Math.floor(index / windows), index % windows];
    const at = FROM + day * DAY + Math.floor((window * 1_440) / windows) * MINUTE;
    const isDecision = index % 2 === 0;
    return {
      at,
      headroom: 'default',
      message: isDecision ? 'headroom decided' : 'headroom ready for its window',
      ...(isDecision ? { from: 3, to: 4 } : { window: `w${window}`, start: new Date(at).toISOString() }),
    };
  });
  return { periods: new Map([['default', periods]]), lines, loggedFrom: 0 };
}

function secondsOf(windows: number, days: number): number {
  const [config, history, span] = [
    configWith(windows),
    historyOf(windows, days),
    { from: FROM, to: FROM + days * DAY },
  ];
  const times = Array.from({ length: ROUNDS }, () => {
    const began = process.cpuUsage();
    reportOf(config, span, history);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1e6;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

secondsOf(25, 4);
console.log('| windows | days | processor time, s (median of three) | ratio |\n|---|---|---|---|');
for (const sizes of [
  [[100, 15] as const, [200, 15] as const, [400, 15] as const],
  [[100, 8] as const, [100, 16] as const, [100, 32] as const],
]) {
  let before: number | undefined;
  for (const [windows, days] of sizes) {
    const seconds = secondsOf(windows, days);
    const ratio = before === undefined ? '' : (seconds / before).toFixed(1);
    console.log(`| ${windows} | ${days} | ${seconds.toFixed(2)} | ${ratio} |`);
    before = seconds;
  }
}
