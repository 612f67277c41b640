import { escapeMarkup, PICTURE_STYLE } from './markup';

/** A complete page in one file, for light and dark mode; nothing external is loaded. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<style>
${PICTURE_STYLE}
body { margin: 0 auto; max-width: 1000px; padding: 24px 20px 48px; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 32px 0 8px; }
p { margin: 4px 0 12px; } .soft { color: var(--soft); }
svg { display: block; width: 100%; height: auto; margin: 12px 0; }
svg.narrow { display: none; }
@media (max-width: 640px) { svg.wide { display: none; } svg.narrow { display: block; } body { padding: 16px 10px 32px; } }
table { border-collapse: collapse; width: 100%; margin: 8px 0 16px; font-size: 14px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 500; } td.number, th.number { text-align: right; }
.scroll { overflow-x: auto; } details summary { cursor: pointer; color: var(--soft); }
</style>
</head>
<body>
${body}
</body>
</html>
`;
}

export interface Column {
  readonly title: string;
  readonly number?: boolean;
}

/** Columns by their titles; those with a `#` at the end have numbers. */
export function columns(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => (title.endsWith(' #') ? { title: title.slice(0, -2), number: true } : { title }));
}

/** A table; every cell is plain text. */
export function htmlTable(heads: readonly Column[], rows: readonly (readonly string[])[]): string {
  const cell = (tag: string, text: string, column: Column | undefined) =>
    `<${tag}${column?.number ? ' class="number"' : ''}>${escapeMarkup(text)}</${tag}>`;
  const head = heads.map((column) => cell('th', column.title, column)).join('');
  const body = rows.map((row) => `<tr>${row.map((text, index) => cell('td', text, heads[index])).join('')}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}
