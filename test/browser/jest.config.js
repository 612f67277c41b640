const { accessSync, constants } = require('node:fs');
const { delimiter, join } = require('node:path');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of CHROME_PATH, or the first on PATH that Playwright can drive. */
function findBrowser() {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [process.env.CHROME_PATH, ...NAMES.flatMap((name) => onPath.map((folder) => join(folder, name)))];
  return candidates.filter(Boolean).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const browser = findBrowser();
if (!browser) {
  const message = `no browser found: install ${NAMES[0]} or set CHROME_PATH`;
  if (process.env.CI === 'true') throw new Error(message);
  console.warn(`The browser suite is skipped: ${message}.`);
}

/** The suite that looks at the console through a real browser. */
module.exports = {
  ...require('../jest-base'),
  rootDir: '../..',
  roots: ['<rootDir>/test/browser'],
  maxWorkers: 1,
  testTimeout: 120_000,
  globals: { BROWSER_PATH: browser ?? '' },
  testPathIgnorePatterns: browser ? ['/node_modules/'] : ['.*'],
  passWithNoTests: !browser,
};
