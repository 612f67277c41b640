import { send } from './commands.js';
import { followStream } from './feed.js';
import { byId } from './lib/dom.js';
import { useZone } from './lib/format.js';
import { linkTo, replayOf } from './lib/link.js';
import { listenForShortcuts } from './lib/shortcuts.js';
import { createSmoothClock } from './lib/smooth-clock.js';
import { showBanner } from './parts/banner.js';
import { showComparison } from './parts/comparison.js';
import { createDecisions } from './parts/decisions.js';
import { createHelpDialog, createInflateDialog, wireDialogs } from './parts/dialogs.js';
import { showFigures } from './parts/figures.js';
import { createHeader, SPEEDS } from './parts/header.js';
import { showPeak } from './parts/peak.js';
import { createSideControls } from './parts/side-controls.js';
import { createTheme } from './parts/theme.js';
import { notify } from './parts/toasts.js';
import { createPools } from './pools/pools.js';

/** @import { Snapshot } from '../snapshot/snapshot' */

const clock = createSmoothClock();
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** @type {Snapshot | undefined} */
let latest;
let fresh = false;
let replay = replayOf(location.search);

const inflateDialog = createInflateDialog((override) => {
  const size = 'addNodes' in override ? `${override.addNodes} more nodes` : `at least ${override.atLeast}`;
  send({ kind: 'inflate', ...override }, `${override.pool}: override ${size} for ${override.for}`);
});

const poolActions = {
  inflate(/** @type {string} */ name) {
    const pool = latest?.pools.find((candidate) => candidate.name === name);
    if (pool) inflateDialog.open(pool);
  },
  release: (/** @type {string} */ pool) => send({ kind: 'release', pool }, `${pool}: override released`),
  alarm: (/** @type {string} */ alarmName, /** @type {boolean} */ firing) =>
    send({ kind: 'alarm', alarmName, firing }, `alarm ${alarmName} ${firing ? 'fired' : 'cleared'}`),
  take: (/** @type {string} */ node) => send({ kind: 'takeNode', node }, `${node}: spot interruption notice sent`),
};

const togglePause = () => latest && send({ kind: 'pause', paused: !latest.clock.paused });
const setSpeed = (/** @type {number} */ speed) => send({ kind: 'speed', speed });
const jump = () => send({ kind: 'jump' });
const takeAny = () => send({ kind: 'takeNode' }, 'spot interruption notice sent');

const header = createHeader({ speed: setSpeed, pause: togglePause, jump });
const decisions = createDecisions();
const pools = createPools(poolActions);
const side = createSideControls({
  scenario: (id, title) => send({ kind: 'scenario', id }, `scenario started: ${title}`),
  take: takeAny,
  storm: () => send({ kind: 'spotStorm' }, 'spot interruption notices sent'),
  faults: (faults) => send({ kind: 'faults', faults }),
});
const print = matchMedia('print');
const theme = createTheme(() => {
  pools.recolour();
  if (print.matches && latest) pools.drawAll(latest, clock.now(performance.now()));
});
wireDialogs();
byId('link').addEventListener('click', copyLink);
byId('peak-again').addEventListener(
  'click',
  () => latest?.scenario && send({ kind: 'scenario', id: latest.scenario.id }),
);

/** @type {import('./lib/shortcuts.js').Shortcut[]} */
const shortcuts = [
  { key: ' ', label: 'space', does: 'pause or resume the clock', run: togglePause, sandboxOnly: true },
  { key: 'j', does: 'jump to the next event', run: jump, sandboxOnly: true },
  ...SPEEDS.map((speed, index) => ({
    key: String(index + 1),
    does: `clock speed ${speed}×`,
    run: () => setSpeed(speed),
    sandboxOnly: true,
  })),
  { key: 'i', does: 'emergency override', run: () => poolActions.inflate(focusedPool()?.name ?? '') },
  { key: 'a', does: 'fire or clear the first alarm', run: toggleAlarm, sandboxOnly: true },
  { key: 't', does: 'interrupt a spot node', run: takeAny, sandboxOnly: true },
  { key: 'd', does: 'theme: system, light, dark', run: theme.next },
  { key: '?', does: 'show this help', run: () => help.open() },
];
const help = createHelpDialog(shortcuts);
listenForShortcuts(shortcuts);

/** Puts a link to this moment into the address bar and the clipboard. */
async function copyLink() {
  if (!latest) return;
  const link = linkTo({ ...latest, clock: { ...latest.clock, now: clock.now(performance.now()) } }, location.href);
  history.replaceState(null, '', link);
  await navigator.clipboard?.writeText(link).catch(() => undefined);
  notify('link to this moment copied; it needs the same config', 'good');
}

/** The focused NodePool, or else the first. */
function focusedPool() {
  const name = document.activeElement?.closest('.pool')?.getAttribute('data-pool');
  return latest?.pools.find((pool) => pool.name === name) ?? latest?.pools[0];
}

function toggleAlarm() {
  const pool = focusedPool();
  const alarm = pool?.alarms[0] ?? latest?.pools.flatMap(({ alarms }) => alarms)[0];
  if (alarm) poolActions.alarm(alarm.alarmName, !alarm.firing);
  else notify('the config has no alarms', 'bad');
}

/** @param {number} realNow */
function frame(realNow) {
  requestAnimationFrame(frame);
  if (!latest || (calm.matches && !fresh)) return;
  const now = clock.now(realNow);
  if (fresh) {
    fresh = false;
    header.update(latest);
    showBanner(latest);
    showPeak(latest, now);
    showFigures(latest);
    showComparison(latest);
    decisions.update(latest.decisions, now, realNow);
    side.update(latest);
    pools.update(latest, now);
  }
  header.tick(latest, now);
  pools.tick(latest, now);
}

followStream(
  (snapshot) => {
    useZone(snapshot.clock.timeZone, snapshot.clock.severalZones);
    clock.hear(snapshot.clock, performance.now());
    latest = snapshot;
    fresh = true;
    if (replay) send(replay, 'replaying the link');
    replay = undefined;
  },
  (state) => header.connection(state),
);
requestAnimationFrame(frame);
