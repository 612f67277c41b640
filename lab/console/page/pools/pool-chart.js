import { render } from '/vendor/lit-html/lit-html.js';
import { shortTime, zoneNote } from '../lib/format.js';
import { drawLanes, drawTints, LANE_HEIGHT, layBands } from './chart-bands.js';
import { columnsOf, topOf } from './chart-data.js';
import { roundTimes } from './time-axis.js';

/** @import { PoolView } from '../../snapshot/snapshot' */
/** @import { Palette } from './chart-palette.js' */
/** @import { View } from './chart-data.js' */
/** @import { LaidBand } from './chart-bands.js' */
/** @typedef {import('uplot')} Plot */

/** @type {typeof import('uplot')} */
const UPlot = /** @type {any} */ (globalThis).uPlot;

const LABEL_WIDTH = 72;

/**
 * The timeline of one NodePool: capacity in use and free capacity stacked as areas, wanted as a line, the plan dashed ahead of
 * now, a thin line of the pods that would wait without headroom, and behind them the bands of windows, lead times, alarm
 * boosts, interruption surges and overrides.
 * @param {HTMLElement} host
 */
export function createPoolChart(host) {
  /** @type {{ pool?: PoolView, palette?: Palette, view: View, now: number, top: number, bands: readonly LaidBand[] }} */
  const state = { view: { from: 0, to: 1 }, now: 0, top: 4, bands: [] };
  const tip = /** @type {HTMLElement} */ (host.querySelector('.chart-tip'));
  /** @type {Plot | undefined} */
  let plot;
  let lanes = 0;

  const build = (/** @type {Palette} */ palette) => {
    plot?.destroy();
    plot = new UPlot(optionsFor(host, palette, state, tip), [[], [], [], [], [], []], host);
    plot.over.append(tip);
  };
  const fit = () => plot?.setSize({ width: host.clientWidth, height: host.clientHeight });
  const sizes = new ResizeObserver(fit);
  sizes.observe(host);

  return {
    fit,
    close() {
      sizes.disconnect();
      plot?.destroy();
    },
    /** @param {PoolView} pool @param {View} view @param {number} now @param {Palette} palette */
    draw(pool, view, now, palette) {
      if (pool !== state.pool) state.top = topOf(pool);
      Object.assign(state, { pool, view, now, bands: layBands(pool.bands, view) });
      if (state.palette !== palette) {
        state.palette = palette;
        build(palette);
      }
      plot?.setData(/** @type {any} */ (columnsOf(pool, view, now)));
      // uPlot recomputes the padding only on request.
      if (laneCount(state.bands) !== lanes) plot?.redraw(false, true);
      lanes = laneCount(state.bands);
    },
  };
}

/**
 * @param {HTMLElement} host
 * @param {Palette} palette
 * @param {{ pool?: PoolView, view: View, now: number, top: number, bands: readonly LaidBand[] }} state
 * @param {HTMLElement} tip
 * @returns {import('uplot').Options}
 */
function optionsFor(host, palette, state, tip) {
  const font = `11px ${palette.font}`;
  const steps = UPlot.paths.stepped?.({ align: 1 });
  const line = { ...(steps && { paths: steps }), points: { show: false } };
  const axis = { font, stroke: palette.text, ticks: { show: false } };
  const lanes = () => laneCount(state.bands) * LANE_HEIGHT + 6;
  return {
    width: host.clientWidth,
    height: host.clientHeight,
    padding: [lanes, 18, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => [state.view.from, state.view.to] },
      y: { range: () => [0, state.top] },
    },
    axes: [
      {
        ...axis,
        size: 24,
        gap: 4,
        grid: { show: false },
        splits: (self, _axis, from, to) => roundTimes(from, to, Math.max(2, self.width / LABEL_WIDTH)),
        values: (_self, splits) => splits.map(shortTime),
      },
      {
        ...axis,
        size: 30,
        gap: 6,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
        grid: { stroke: palette.grid, width: 1 },
      },
    ],
    series: [
      {},
      { ...line, label: 'in use', stroke: palette.ready, width: 1, fill: palette.usedFill },
      { ...line, label: 'free', width: 0 },
      { ...line, label: 'plan', stroke: palette.plan, width: 2, dash: [5, 5] },
      { ...line, label: 'wanted', stroke: palette.wanted, width: 2 },
      { ...line, label: 'would wait', stroke: palette.ghost, width: 1.5, spanGaps: false },
    ],
    bands: [{ series: [2, 1], fill: palette.readyFill }],
    hooks: {
      drawClear: [(self) => drawTints(canvasOf(self), state.bands, palette)],
      draw: [
        (self) => {
          drawLanes(canvasOf(self), state.bands, palette);
          drawNow(self, state.now, palette);
        },
      ],
      setCursor: [(self) => showTip(self, tip, state.pool)],
    },
  };
}

/** @param {readonly LaidBand[]} bands */
const laneCount = (bands) => Math.max(0, ...bands.map(({ lane }) => lane + 1));

/** @param {Plot} plot @returns {(at: number) => number} */
const toX = (plot) => (at) => plot.valToPos(at, 'x', true);

/** @param {Plot} plot */
const canvasOf = (plot) => ({ ctx: plot.ctx, toX: toX(plot), box: plot.bbox });

/** @param {Plot} plot @param {number} now @param {Palette} palette */
function drawNow(plot, now, palette) {
  const { ctx, bbox } = plot;
  const x = Math.round(toX(plot)(now)) + 0.5;
  const scale = palette.pixelRatio;
  ctx.save();
  ctx.strokeStyle = palette.now;
  ctx.fillStyle = palette.now;
  ctx.lineWidth = 1.5 * scale;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x - 4 * scale, bbox.top - 2 * scale);
  ctx.lineTo(x + 4 * scale, bbox.top - 2 * scale);
  ctx.lineTo(x, bbox.top + 5 * scale);
  ctx.fill();
  ctx.restore();
}

/** @param {Plot} plot @param {HTMLElement} tip @param {PoolView | undefined} pool */
function showTip(plot, tip, pool) {
  const { left = -1 } = plot.cursor;
  const at = left < 0 ? Number.NaN : plot.posToVal(left, 'x');
  const times = plot.data[0] ?? [];
  const index = [...times].findLastIndex((time) => Number(time) <= at);
  tip.hidden = index < 0;
  if (index < 0) return;
  const [used = 0, stacked = 0, wanted, waiting] = [1, 2, 4, 5].map(
    (column) => plot.data[column]?.[index] ?? undefined,
  );
  const known = [
    `wanted ${wanted}`,
    `in use ${used}`,
    `free ${stacked - used}`,
    ...(waiting ? [`would wait without headroom ${waiting}`] : []),
  ];
  const text = wanted === undefined ? `plan ${pool?.plan.findLast((step) => step.at <= at)?.text}` : known.join(' · ');
  render(`${shortTime(at)}${zoneNote()}  ${text}`, tip);
  const flipped = left > plot.over.clientWidth / 2;
  tip.style.transform = `translate(${left}px, 0) translateX(${flipped ? 'calc(-100% - 8px)' : '8px'})`;
}
