import { asMap } from '../../shared/core/config/untyped';
import type { Ledger, Path } from './ledger';

/** A custom pause image is carried over, unless it has no tag or is in the frozen registry. */
export function imageOf(ledger: Ledger, path: Path): string | undefined {
  const { repository, tag } = asMap(ledger.peek(...path));
  const frozen = 'the registry k8s.gcr.io is frozen; the default registry.k8s.io/pause:3.10 is used instead';
  if (String(repository).startsWith('k8s.gcr.io/')) {
    ledger.leave([...path, 'repository'], frozen);
    ledger.leave([...path, 'tag'], frozen);
    return undefined;
  }
  if (typeof repository !== 'string' || tag === undefined || tag === null || tag === '') {
    ledger.leave([...path, 'repository'], 'has no tag; the default registry.k8s.io/pause:3.10 is used instead');
    return undefined;
  }
  ledger.take(...path, 'repository');
  ledger.take(...path, 'tag');
  return `${repository}:${tag}`;
}
