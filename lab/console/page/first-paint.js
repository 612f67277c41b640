/** Runs before the first paint, so that the theme does not flash. */
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  let chosen = 'system';
  try {
    chosen = localStorage.getItem('headstart.theme') ?? chosen;
  } catch {
    // Storage may be forbidden; use the system's theme then.
  }
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
})();
