import type { OverrideDecision, WrittenOverride } from '../../shared/core/respond';
import { overrideSize } from '../../shared/drawing/size-text';

/** `of ana: at least 6 until 2026-11-16T11:30:00.000Z (flash sale)`; `withMoments` makes its times readable. */
export function overrideText(override: WrittenOverride): string {
  const { by, reason, until } = override;
  return `of ${by}: ${overrideSize(override)} until ${until} (${reason})`;
}

/** What is in force instead of an override or release that somebody else preempted. */
export function supersededText(newer: NonNullable<OverrideDecision['supersededBy']>): string {
  const what =
    'until' in newer
      ? `the override ${overrideText(newer)}`
      : `a release${newer.by === undefined ? '' : ` by ${newer.by}`}`;
  return `not in force: ${what}, given at ${newer.at}, is newer`;
}
