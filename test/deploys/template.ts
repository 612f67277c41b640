import type { Resource } from '../infra/synthesized';

export type Template = Readonly<Record<string, Resource>>;

/** What `Ref` and `Fn::GetAtt` give; an unknown attribute throws, as CloudFormation does. */
export interface Lookup {
  ref(name: string): string;
  attribute(id: string, name: string): string;
}

/** A value of a template as a resource gets it. */
export function resolved(value: unknown, lookup: Lookup): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, lookup));
  if (typeof value !== 'object' || value === null) return value;
  const [[key, inner] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0)
    switch (key) {
      case 'Ref':
        return lookup.ref(String(inner));
      case 'Fn::GetAtt': {
        const [id, name] = inner as [string, string];
        return lookup.attribute(id, name);
      }
      case 'Fn::Join': {
        const [separator, parts] = inner as [string, unknown[]];
        return parts.map((part) => String(resolved(part, lookup))).join(separator);
      }
      case 'Fn::Sub':
        return String(inner).replace(/\$\{([\w:]+)\}/g, (_, name: string) => lookup.ref(name));
      case 'Fn::If':
        return resolved((inner as unknown[])[2], lookup);
    }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, lookup)]));
}

/** The ids that a resource comes after: those it names, and those it depends on. */
export function dependenciesOf({ Properties, DependsOn = [] }: Resource, template: Template): readonly string[] {
  const named = (value: unknown): readonly string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { Ref: ref, 'Fn::GetAtt': getAtt } = value as Record<string, unknown>;
    if (typeof ref === 'string') return [ref];
    if (Array.isArray(getAtt)) return [String(getAtt[0])];
    return Object.values(value).flatMap(named);
  };
  return [...new Set([...DependsOn, ...named(Properties)])].filter((id) => template[id] !== undefined);
}

/** Ids in an order in which each comes after what it needs. */
export function inOrder(template: Template): readonly string[] {
  const done = new Set<string>();
  const visit = (id: string) => {
    const resource = template[id];
    if (done.has(id) || !resource) return;
    for (const earlier of dependenciesOf(resource, template)) visit(earlier);
    done.add(id);
  };
  for (const id of Object.keys(template).sort()) visit(id);
  return [...done];
}
