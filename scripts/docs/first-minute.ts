import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PoolHistories } from '../../lab/console/snapshot/pool-histories';
import { followSimulation } from '../../lab/console/sources/follow-simulation';
import { AREA, peakView } from '../../lab/console/sources/peak-view';
import { DEMO } from '../../lab/sandbox/demo';
import { atLeast } from '../../lab/simulator/engine/karpenter/node-delay';
import { sideBySide } from '../../lab/simulator/run/side-by-side';
import { Simulation } from '../../lab/simulator/run/simulation';
import { lunchPeak } from '../../lab/simulator/scenarios/lunch-peak';
import { loadConfig } from '../../shared/core/config/read/load';
import { localIso } from '../../shared/drawing/local-time';
import { coordinate as c, escapeMarkup as e, PICTURE_STYLE } from '../../shared/drawing/markup';
import { ticksOf } from '../../shared/drawing/time-axis';

type Peak = ReturnType<typeof peakView>;

const ZONE = 'Asia/Seoul';
/** Tuesday, 11:00 in Seoul. */
export const BEGIN = Date.parse('2025-03-11T02:00:00Z');
const PLAYS_S = 20;
/** The picture stands still before it plays again. */
const LASTS_S = 25;

const WIDTH = 800;
const LANES = { left: 150, width: 390, height: 32 };
const FIGURES = LANES.left + LANES.width + 16;
const TOP = 70;
const SIDE = 2 * LANES.height + 30;
const HEIGHT = TOP + 2 * SIDE + 18;
/** About what a character of the captions takes. */
const CHARACTER = 6.6;

/** The first minutes of the demo's lunch, as the console shows them once they have passed. */
export async function firstMinute(root: string): Promise<Peak> {
  const loaded = loadConfig([{ file: DEMO, text: readFileSync(join(root, DEMO), 'utf8') }]);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { config } = loaded;
  const simulation = new Simulation({ config, scenario: lunchPeak, seed: 1, nodeDelay: atLeast(50), after: BEGIN });
  const peak = sideBySide(simulation);
  if (!peak) throw new Error('the lunch of the demo shows nothing');
  const histories = new PoolHistories(config);
  followSimulation(simulation, histories);
  await simulation.begin();
  await simulation.runUntil(peak.to);
  return peakView(peak, simulation, histories);
}

/** Changes whenever the demo or its figures do. */
export function fingerprint(peak: Peak, root: string): string {
  const text = readFileSync(join(root, DEMO), 'utf8');
  return createHash('sha256').update(text).update(JSON.stringify(peak)).digest('hex').slice(0, 16);
}

/** A self-contained picture that plays like the page does; it stands still where the reader wants less motion. */
export function movingPicture(peak: Peak): string {
  const { from, to, moments } = peak;
  const share = (at: number) => (at - from) / (to - from);
  const x = (at: number) => LANES.left + share(at) * LANES.width;
  const bottom = TOP + 2 * SIDE - 14;
  const lasts = moments.at(-1)?.at ?? to;
  const appearing = [...moments.map(({ at }) => at), lasts].map((at) => (share(at) * PLAYS_S * 100) / LASTS_S);
  const frames = appearing.map(
    (percent, index) =>
      `@keyframes m${index} { 0%, ${c(percent)}% { opacity: 0 } ${c(percent + 0.5)}%, 100% { opacity: 1 } }\n.m${index} { animation: m${index} ${LASTS_S}s linear infinite }`,
  );
  const played = (PLAYS_S * 100) / LASTS_S;
  const motion = `@media (prefers-reduced-motion: no-preference) {
.future { animation: future ${LASTS_S}s linear infinite }
.now { animation: now ${LASTS_S}s linear infinite }
@keyframes future { 0% { transform: scaleX(1) } ${played}%, 100% { transform: scaleX(0) } }
@keyframes now { 0% { transform: translateX(-${LANES.width}px) } ${played}%, 100% { transform: translateX(0) } }
${frames.join('\n')}
}`;
  const ticks = ticksOf(ZONE, from, to, 6).map(
    ({ at, label }) => `<text class="soft" x="${c(x(at))}" y="${bottom + 20}" text-anchor="middle">${label}</text>`,
  );
  const lines = moments.map(
    ({ at }, index) => `<line class="tick m${index}" x1="${c(x(at))}" x2="${c(x(at))}" y1="${TOP}" y2="${bottom}"/>`,
  );
  const edge = LANES.left + LANES.width;
  const body = [
    `<text class="name" x="12" y="22">Lunch in the demo: with headroom and without, ${PLAYS_S} minutes in ${PLAYS_S} seconds</text>`,
    ...captions(peak),
    side('with headroom', peak.with, TOP, peak.monthly, moments.length),
    side('without headroom', peak.without, TOP + SIDE, '$0', moments.length),
    `<rect class="future" x="${LANES.left}" y="${TOP - 1}" width="${LANES.width + 2}" height="${bottom - TOP + 1}"/>`,
    ...lines,
    `<line class="now" x1="${edge}" x2="${edge}" y1="${TOP}" y2="${bottom}"/>`,
    ...ticks,
  ].join('\n');
  const style = `${PICTURE_STYLE}
.nodes { fill: var(--w0); fill-opacity: 0.28; stroke: var(--w0); stroke-width: 1.5; vector-effect: non-scaling-stroke }
svg .runs, svg .run { fill: var(--area) } svg .waits, svg .wait { fill: var(--w3) }
.future { fill: var(--ground); transform-box: fill-box; transform-origin: right; transform: scaleX(0) }
.now { stroke: var(--change); stroke-width: 1.5 } svg .figure { font-size: 26px; font-weight: 650 }
${motion}`;
  const ground = `<rect width="100%" height="100%" fill="var(--ground)"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" role="img" aria-label="${e(spoken(peak))}"><style>${style}</style>${ground}\n${body}\n</svg>\n`;
}

/** What has happened, in as many lines as it needs. */
function captions({ moments }: Peak): readonly string[] {
  let [left, line] = [12, 0];
  return moments.map(({ at, text }, index) => {
    const said = `${index === 0 ? '' : '→ '}${localIso(ZONE, at).slice(11, 16)} ${text}`;
    const width = said.length * CHARACTER + 10;
    if (left + width > WIDTH) [left, line] = [12, line + 1];
    const label = `<text class="m${index}" x="${c(left)}" y="${42 + line * 17}">${e(said)}</text>`;
    left += width;
    return label;
  });
}

function side(name: string, of: Peak['with'], top: number, monthly: string | undefined, last: number): string {
  const box = (y: number, areas: string) =>
    `<g transform="translate(${LANES.left} ${y}) scale(${LANES.width / AREA.width} ${LANES.height / AREA.height})">${areas}</g>`;
  const below = top + LANES.height + 4;
  const label = (y: number, text: string) => `<text class="soft" x="12" y="${y}">${text}</text>`;
  return [
    `<text x="12" y="${top + 12}" font-weight="600">${name}</text>`,
    label(top + 29, 'nodes'),
    label(below + 20, 'pods: <tspan class="run">run</tspan>, <tspan class="wait">wait</tspan>'),
    box(top, `<path class="nodes" d="${of.nodes}"/>`),
    box(below, `<path class="waits" d="${of.pods}"/><path class="runs" d="${of.running}"/>`),
    `<g class="m${last}"><text class="figure" x="${FIGURES}" y="${top + 26}">${waitText(of)}</text>`,
    `<text class="soft" x="${FIGURES}" y="${top + 44}">95 % of pods</text>`,
    `<text class="soft" x="${FIGURES}" y="${top + 59}">wait at most this</text></g>`,
    `<text class="figure" x="${FIGURES + 112}" y="${top + 26}">${monthly ?? ''}</text>`,
    `<text class="soft" x="${FIGURES + 112}" y="${top + 44}">a month for</text>`,
    `<text class="soft" x="${FIGURES + 112}" y="${top + 59}">headroom, as planned</text>`,
  ].join('\n');
}

function spoken({ moments, with: having, without, monthly }: Peak): string {
  const told = moments.map(({ at, text }) => `${localIso(ZONE, at).slice(11, 16)} ${text}`).join(', ');
  return `${told}. 95 % of the pods wait at most ${waitText(having)} with headroom, for ${monthly} a month as planned, and ${waitText(without)} without.`;
}

function waitText({ waits: { p95Ms } }: Peak['with']): string {
  return p95Ms < 10_000 ? `${(p95Ms / 1_000).toFixed(1)} s` : `${Math.round(p95Ms / 1_000)} s`;
}
