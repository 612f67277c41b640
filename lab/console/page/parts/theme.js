import { render } from '/vendor/lit-html/lit-html.js';
import { byId } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { recall, remember } from '../lib/remembered.js';

/** @typedef {'system' | 'light' | 'dark'} Theme */

const KEY = 'headstart.theme';
/** @type {Record<Theme, Theme>} */
const NEXT = { system: 'light', light: 'dark', dark: 'system' };

/**
 * The theme button: cycles through system, light and dark, and remembers the choice.
 * @param {() => void} onChange called whenever the colours may have changed
 */
export function createTheme(onChange) {
  const button = byId('theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const print = matchMedia('print');
  let theme = themeOf(recall(KEY));
  const show = () => {
    const active = theme === 'system' ? (dark.matches ? 'dark' : 'light') : theme;
    // Always print on white.
    document.documentElement.dataset.theme = print.matches ? 'light' : active;
    render(icon(theme), button);
    button.ariaLabel = button.title = `Theme: ${theme}`;
    onChange();
  };
  const next = () => {
    theme = NEXT[theme];
    remember(KEY, theme);
    show();
  };
  button.addEventListener('click', next);
  dark.addEventListener('change', show);
  print.addEventListener('change', show);
  show();
  return { next };
}

/** @param {string | undefined} text @returns {Theme} */
function themeOf(text) {
  return text === 'light' || text === 'dark' ? text : 'system';
}
