/** @typedef {ReturnType<typeof readPalette>} Palette */

/** The colours of the charts, read from the style sheet so that they follow the theme. */
export function readPalette() {
  // A custom property itself would still name the colours of both themes.
  const probe = document.body.appendChild(document.createElement('i'));
  const colour = (/** @type {string} */ name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const pixelRatio = devicePixelRatio;
  /** @type {CanvasPattern | null} */
  let hatch = null;
  const window = colour('band-window');
  const palette = {
    text: colour('muted'),
    grid: colour('grid'),
    wanted: colour('wanted'),
    ready: colour('ready'),
    readyFill: colour('ready-fill'),
    usedFill: colour('used'),
    plan: colour('plan'),
    ghost: colour('warn'),
    now: colour('now'),
    onBand: colour('on-band'),
    font: getComputedStyle(document.body).fontFamily,
    pixelRatio,
    bands: {
      window,
      lead: window,
      boost: colour('band-boost'),
      surge: colour('band-surge'),
      override: colour('band-override'),
    },
    hatch(/** @type {CanvasRenderingContext2D} */ ctx) {
      hatch ??= ctx.createPattern(hatchTile(window, pixelRatio), 'repeat');
      return hatch ?? window;
    },
  };
  probe.remove();
  return palette;
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
