/** @import { BandView } from '../../snapshot/snapshot' */
/** @import { Palette } from './chart-palette.js' */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** @typedef {{ ctx: CanvasRenderingContext2D, toX: (at: number) => number, box: Box }} Canvas */
/** @typedef {{ kind: BandView['kind'], label: string, from: number, to: number, lane: number }} LaidBand */

const ROWS = { lead: 0, window: 0, override: 1, boost: 2, surge: 3 };
/** More lanes than this would leave no room for the lines; further bands share the last one. */
const MAX_LANES = 6;

export const LANE_HEIGHT = 17;
const TINT = 0.15;

/**
 * Assigns the bands of a view to lanes above the lines, separate for each kind; bands in a lane do not overlap.
 * @param {readonly BandView[]} bands
 * @param {{ from: number, to: number }} view
 * @returns {readonly LaidBand[]}
 */
export function layBands(bands, { from, to }) {
  const visible = joinSurges(bands)
    .map((band) => ({ ...band, to: band.to ?? to }))
    .filter((band) => band.to > from && band.from < to)
    .sort((a, b) => ROWS[a.kind] - ROWS[b.kind] || a.from - b.from);
  /** @type {{ row: number, end: number }[]} */
  const lanes = [];
  return visible.map((band) => {
    const row = ROWS[band.kind];
    const free = lanes.findIndex((lane) => lane.row === row && lane.end <= band.from);
    const lane = free >= 0 ? free : Math.min(lanes.length, MAX_LANES - 1);
    lanes[lane] = { row, end: band.to };
    return { ...band, lane };
  });
}

/** Draws overlapping surges, which are common, as one band. @param {readonly BandView[]} bands */
function joinSurges(bands) {
  const others = bands.filter(({ kind }) => kind !== 'surge');
  /** @type {(BandView & { count: number })[]} */
  const joined = [];
  for (const surge of bands.filter(({ kind }) => kind === 'surge').toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (!last || (last.to !== undefined && last.to < surge.from)) {
      joined.push({ ...surge, count: 1 });
      continue;
    }
    const to = last.to === undefined || surge.to === undefined ? undefined : Math.max(last.to, surge.to);
    const { to: _ended, ...rest } = last;
    joined[joined.length - 1] = { ...rest, ...(to !== undefined && { to }), count: last.count + 1 };
  }
  return [
    ...others,
    ...joined.map((surge) => (surge.count > 1 ? { ...surge, label: `${surge.count} surges` } : surge)),
  ];
}

/**
 * The tinted periods behind the lines.
 * @param {Canvas} canvas @param {readonly LaidBand[]} bands @param {Palette} palette
 */
export function drawTints({ ctx, toX, box }, bands, palette) {
  clipped(ctx, { ...box, top: 0, height: box.top + box.height }, () => {
    for (const band of bands) {
      const left = toX(band.from);
      const width = toX(band.to) - left;
      ctx.globalAlpha = band.kind === 'lead' ? 1 : TINT;
      ctx.fillStyle = band.kind === 'lead' ? palette.hatch(ctx) : palette.bands[band.kind];
      ctx.fillRect(left, box.top, width, box.height);
    }
  });
}

/**
 * The labelled bars in the lanes above the lines.
 * @param {Canvas} canvas @param {readonly LaidBand[]} bands @param {Palette} palette
 */
export function drawLanes({ ctx, toX, box }, bands, palette) {
  const scale = palette.pixelRatio;
  const height = (LANE_HEIGHT - 3) * scale;
  clipped(ctx, { ...box, top: 0, height: box.top }, () => {
    ctx.font = `600 ${10.5 * scale}px ${palette.font}`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    for (const band of bands) {
      const left = Math.max(toX(band.from), box.left);
      const width = Math.max(Math.min(toX(band.to), box.left + box.width) - left, 2 * scale);
      const top = band.lane * LANE_HEIGHT * scale;
      ctx.fillStyle = band.kind === 'lead' ? palette.hatch(ctx) : palette.bands[band.kind];
      ctx.beginPath();
      ctx.roundRect(left, top, width - scale, height, 3 * scale);
      ctx.fill();
      if (band.kind === 'lead') continue;
      ctx.fillStyle = palette.onBand;
      const label = fitting(ctx, band.label, width - 10 * scale);
      ctx.fillText(label, left + 5 * scale, top + height / 2 + scale / 2);
    }
  });
}

/**
 * As much of a label as there is room for.
 * @param {CanvasRenderingContext2D} ctx @param {string} label @param {number} width
 */
function fitting(ctx, label, width) {
  if (ctx.measureText(label).width <= width) return label;
  for (let length = label.length - 1; length > 2; length -= 1) {
    const shortened = `${label.slice(0, length)}…`;
    if (ctx.measureText(shortened).width <= width) return shortened;
  }
  return '';
}

/** @param {CanvasRenderingContext2D} ctx @param {Box} box @param {() => void} draw */
function clipped(ctx, { left, top, width, height }, draw) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  draw();
  ctx.restore();
}
