import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Found by jest.config.js. */
declare const BROWSER_PATH: string;

/** A busy machine may take long; what is waited for normally comes within a second. */
export const PATIENCE_MS = 45_000;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The system's Chromium, headless, with an empty profile. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: BROWSER_PATH, headless: true, args: FLAGS, timeout: PATIENCE_MS });
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce' | 'no-preference';
  readonly deviceScaleFactor?: number;
}

export interface OpenConsole {
  readonly page: Page;
  /** What a user would not see but should not happen: errors, and requests that leave this machine. */
  readonly trouble: readonly string[];
}

/** Opens the console in a page of its own and waits until it is live. */
export async function openConsole(browser: Browser, url: string, look: Look = {}): Promise<OpenConsole> {
  const { width = 1280, height = 900, ...media } = look;
  const page = await browser.newPage({ viewport: { width, height }, timezoneId: 'Asia/Seoul', ...media });
  page.setDefaultTimeout(PATIENCE_MS);
  const trouble: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') trouble.push(message.text());
  });
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') trouble.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  await page.locator('[data-connection="connected"] .pool').first().waitFor();
  return { page, trouble };
}

/** Waits for an expression to hold in the page; its content security policy forbids Playwright's own way. */
export async function until(page: Page, expression: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate(`Boolean(${expression})`))) {
    if (Date.now() > deadline) throw new Error(`never became true in the page: ${expression}`);
    await sleep(100);
  }
}

/** How many pixels the page is wider than the window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
