import { type Synthesized, withoutHash } from './synthesized';

/** The logical id of the one resource of a type whose id, without `Headstart`, starts with a text. */
export function idOf({ resources }: Synthesized, type: string, start = ''): string {
  const [id, ...more] = Object.keys(resources).filter(
    (one) => resources[one]?.Type === type && withoutHash(one).startsWith(start),
  );
  if (id === undefined || more.length > 0) throw new Error(`expected one ${type} ${start}, got ${[id, ...more]}`);
  return id;
}

/** Whether one resource is made only after another, on any way. */
export function comesAfter({ resources }: Synthesized, later: string, earlier: string): boolean {
  const seen = new Set<string>();
  const visit = (id: string): boolean => {
    if (id === earlier) return true;
    const resource = resources[id];
    if (seen.has(id) || !resource) return false;
    seen.add(id);
    return [...(resource.DependsOn ?? []), ...referencesIn(resource.Properties)].some(visit);
  };
  return later !== earlier && visit(later);
}

function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { Ref: ref, 'Fn::GetAtt': getAtt } = value as Record<string, unknown>;
  if (typeof ref === 'string') return [ref];
  if (Array.isArray(getAtt)) return [String(getAtt[0])];
  return Object.values(value).flatMap(referencesIn);
}
