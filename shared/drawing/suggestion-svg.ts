import { coordinate as c, escapeMarkup, PICTURE_STYLE } from './markup';
import { type TimeFrame, type TimeLine, timeSvg } from './simulation-svg';

const WIDTH = 960;
const TITLE = 26;
const HEIGHT = 250;

/** The history of one NodePool with what is proposed for it. */
export interface HistoryPicture {
  readonly title: string;
  readonly frame: TimeFrame;
  readonly lines: readonly TimeLine[];
}

/** Histories with their proposals, one below the other, as one self-contained file. */
export function suggestionSvg(pictures: readonly HistoryPicture[]): string {
  const height = pictures.length * (TITLE + HEIGHT) + 8;
  const parts = pictures.map(({ title, frame, lines }, index) => {
    const top = index * (TITLE + HEIGHT);
    const name = `<text class="name" x="8" y="${c(top + 18)}">${escapeMarkup(title)}</text>`;
    return `${name}<g transform="translate(0 ${c(top + TITLE)})">${timeSvg(frame, title, lines)}</g>`;
  });
  const ground = '<rect width="100%" height="100%" fill="var(--ground)"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="history and proposal"><style>${PICTURE_STYLE}</style>${ground}${parts.join('')}</svg>\n`;
}
