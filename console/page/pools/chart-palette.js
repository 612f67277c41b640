/**
 * @typedef {{
 *   text: string, grid: string, wanted: string, ready: string, readyFill: string, usedFill: string, plan: string,
 *   now: string, onBand: string, tint: number, font: string, pixelRatio: number,
 *   bands: Record<'window' | 'lead' | 'boost' | 'surge' | 'override', string>,
 *   hatch: (ctx: CanvasRenderingContext2D) => CanvasPattern | string,
 * }} Palette
 */

/**
 * The colours of the charts, read from the style sheet so that they follow the theme.
 * @returns {Palette}
 */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const pixelRatio = devicePixelRatio;
  /** @type {CanvasPattern | null} */
  let hatch = null;
  return {
    text: colour('muted'),
    grid: colour('grid'),
    wanted: colour('wanted'),
    ready: colour('ready'),
    readyFill: colour('ready-fill'),
    usedFill: colour('used'),
    plan: colour('plan'),
    now: colour('now'),
    onBand: colour('on-band'),
    tint: Number(colour('band-tint')),
    font: getComputedStyle(document.body).fontFamily,
    pixelRatio,
    bands: {
      window: colour('band-window'),
      lead: colour('band-window'),
      boost: colour('band-boost'),
      surge: colour('band-surge'),
      override: colour('band-override'),
    },
    hatch(ctx) {
      hatch ??= ctx.createPattern(hatchTile(colour('band-window'), pixelRatio), 'repeat');
      return hatch ?? colour('band-window');
    },
  };
}

/** @param {string} colour @param {number} scale */
function hatchTile(colour, scale) {
  const size = Math.round(6 * scale);
  const tile = new OffscreenCanvas(size, size);
  const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (tile.getContext('2d'));
  ctx.strokeStyle = colour;
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 1.4 * scale;
  for (const shift of [-size, 0, size]) {
    ctx.moveTo(shift - 1, size + 1);
    ctx.lineTo(shift + size + 1, -1);
  }
  ctx.stroke();
  return tile;
}
