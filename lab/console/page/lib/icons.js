import { html } from '/vendor/lit-html/lit-html.js';

/** Paths on a 16 by 16 grid, drawn in the colour of the text. */
const PATHS = {
  pause: 'M5 3v10M11 3v10',
  play: 'M5 3l8 5-8 5z',
  jump: 'M3 3l6 5-6 5zM13 3v10',
  system: 'M8 2a6 6 0 100 12zM8 2a6 6 0 010 12',
  light: 'M8 5a3 3 0 100 6 3 3 0 000-6M8 1v1M8 14v1M1 8h1M14 8h1M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  dark: 'M13 10A6 6 0 016 3a5.6 5.6 0 107 7z',
  up: 'M8 13V4M4 7l4-4 4 4',
  down: 'M8 3v9M4 9l4 4 4-4',
  keep: 'M4 8h8',
  take: 'M9 1L4 9h4l-1 6 5-8H8z',
};

/** @typedef {keyof typeof PATHS} IconName */

/** A decorative icon, hidden from screen readers because its button has a label. @param {IconName} name */
export const icon = (name) =>
  html`<svg viewBox="0 0 16 16" class="icon icon-${name}" aria-hidden="true"><path d=${PATHS[name]}></path></svg>`;
