import { isLocalDate } from '../../windows/written-times';

const YEAR_FIRST = /^(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})(?:[T ].*)?$/;
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/;

/** The date that is meant by one in another form, such as `25.12.2026`; else the hint. */
export function dateAdvice(written: unknown, hint: string): string {
  const text = typeof written === 'string' || typeof written === 'number' ? String(written).trim() : '';
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  const [, dayFirst, monthNext, yearLast] = DAY_FIRST.exec(text) ?? [];
  const parts = [year ?? yearLast, month ?? monthNext, day ?? dayFirst];
  const date = parts.map((part = '') => part.padStart(2, '0')).join('-');
  return isLocalDate(date) ? `write ${date}` : hint;
}
