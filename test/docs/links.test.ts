import { existsSync } from 'node:fs';
import { dirname, normalize } from 'node:path/posix';
import { pageNames, pageText } from './pages';

/** As GitHub makes an anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsOf(page: string): readonly string[] {
  return [...pageText(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

function brokenLinks(page: string): readonly string[] {
  const links = [...pageText(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (link.startsWith('http')) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(`${dirname(page)}/${path}`);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

describe.each(pageNames().map((page) => ({ page })))('$page', ({ page }) => {
  test('links to pages and headings that exist', () => {
    expect(brokenLinks(page)).toEqual([]);
  });
});
