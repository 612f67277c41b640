const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is safe inside HTML and SVG, in attributes too. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** A number short enough for an attribute. */
export function coordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Lines with a label at nothing, the peak and its half, which small peaks do not have. */
export function levelLines(peak: number, y: (value: number) => number, left: number, right: number): string {
  const levels = [0, ...(peak >= 4 ? [Math.round(peak / 2)] : []), peak];
  const [x, end] = [coordinate(left), coordinate(left - 8)];
  return levels
    .map((level) => {
      const line = `<line class="line" x1="${x}" x2="${right}" y1="${coordinate(y(level))}" y2="${coordinate(y(level))}"/>`;
      return `${line}<text class="soft" x="${end}" y="${coordinate(y(level) + 4)}" text-anchor="end">${level}</text>`;
    })
    .join('');
}

/** The colours of the pictures, for light and dark mode; nothing external is loaded. */
export const PICTURE_STYLE = `
:root, svg { --ground: #ffffff; --ink: #1c2733; --soft: #5f6c7a; --line: #d9e0e7; --area: #2f6fde; --change: #c2410c;
  --w0: #0e7c86; --w1: #9333b8; --w2: #3f7d20; --w3: #b45309; --w4: #be185d; }
@media (prefers-color-scheme: dark) {
  :root, svg { --ground: #12181f; --ink: #e6ebf0; --soft: #98a6b4; --line: #2c3743; --area: #6ea4ff; --change: #fb923c;
    --w0: #4cc5cf; --w1: #d08bf0; --w2: #8fd06a; --w3: #f0b24a; --w4: #f48fb8; }
}
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); }
svg .name { font-weight: 600; font-size: 14px; }
svg .inside { fill: var(--ground); font-size: 11px; }
svg .line { stroke: var(--line); stroke-width: 1; }
svg .tick { stroke: var(--line); stroke-width: 1; stroke-dasharray: 1 3; }
svg .day { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3; }
svg .steps { fill: var(--area); fill-opacity: 0.22; stroke: none; }
svg .added { fill: var(--area); fill-opacity: 0.1; stroke: var(--area); stroke-width: 1.5; stroke-dasharray: 3 3; }
svg .edge { fill: none; stroke: var(--area); stroke-width: 2; }
svg .before { fill: none; stroke: var(--change); stroke-width: 1.5; stroke-dasharray: 5 4; }
`.trim();

export function windowColour(index: number): string {
  return `var(--w${index % 5})`;
}
