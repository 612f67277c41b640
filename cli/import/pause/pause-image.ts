import { DEFAULTS } from '../../../shared/core/config/schema/defaults';
import { asMap } from '../../../shared/core/config/yaml/untyped';
import type { FieldLedger, Path } from '../input/field-ledger';
import { replacedImage } from './pod-role';

/** A custom pause image of a chart's values is carried over, unless it has no tag or is in a frozen registry. */
export function imageOf(ledger: FieldLedger, path: Path): string | undefined {
  const { repository, tag } = asMap(ledger.peek(...path));
  const image = `${repository ?? DEFAULTS.image.split(':')[0]}${tag === undefined || tag === null || tag === '' ? '' : `:${tag}`}`;
  const why = replacedImage(image);
  if (why === undefined) {
    ledger.takeFields(path, ['repository', 'tag']);
    return image;
  }
  for (const key of ['repository', 'tag']) ledger.leave([...path, key], `${why}; ${DEFAULTS.image} is used instead`);
  return undefined;
}
