import { asMap } from '../../shared/core/config/untyped';
import type { Ledger, Path } from './ledger';

/** A pause image of one's own is carried over; without a tag, and from the frozen registry, it is not. */
export function imageOf(ledger: Ledger, path: Path): string | undefined {
  const { repository, tag } = asMap(ledger.peek(...path));
  const frozen = 'the registry k8s.gcr.io is frozen; the default registry.k8s.io/pause:3.10 takes its place';
  if (String(repository).startsWith('k8s.gcr.io/')) {
    ledger.leave([...path, 'repository'], frozen);
    ledger.leave([...path, 'tag'], frozen);
    return undefined;
  }
  if (typeof repository !== 'string' || tag === undefined || tag === null || tag === '') {
    ledger.leave(
      [...path, 'repository'],
      'has no tag of its own; the default registry.k8s.io/pause:3.10 takes its place',
    );
    return undefined;
  }
  ledger.take(...path, 'repository');
  ledger.take(...path, 'tag');
  return `${repository}:${tag}`;
}
