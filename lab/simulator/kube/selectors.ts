import type { MatchExpression } from '../../../shared/core/config/config';
import { matchesExpression } from '../../../shared/core/karpenter/matches-expression';
import { badRequest } from './api-error';
import { valueAt } from './json';
import type { Kind } from './kinds';
import type { KubeObject, LabelSelector, StringMap } from './object-types';

export type LabelMatch = (labels: StringMap) => boolean;

/** Compiles the selector of an object; an empty one matches everything, a missing one nothing. */
export function compileLabelSelector(selector: LabelSelector | undefined): LabelMatch {
  if (!selector) return () => false;
  const wanted = Object.entries(selector.matchLabels ?? {});
  const expressions = selector.matchExpressions ?? [];
  return (labels) =>
    wanted.every(([key, value]) => labels[key] === value) && expressions.every((one) => matchesExpression(one, labels));
}

const REQUIREMENT =
  /^\s*(?:(?<absent>!)\s*(?<absentKey>[^\s!=,()]+)|(?<key>[^\s!=,()]+)(?:\s*(?<equality>==|=|!=)(?:\s*(?<value>[^\s!=,()]+))?|\s+(?<set>in|notin)\s*\((?<values>[^()]*)\))?)\s*(?:,|$)/;

/** Reads the labelSelector of a query, `app=web,tier in (a, b),!old`. */
export function parseLabelSelector(text: string): LabelMatch {
  const expressions: MatchExpression[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const match = REQUIREMENT.exec(rest);
    if (!match?.groups)
      throw badRequest(`unable to parse requirement: found '${rest.trim()}', expected: !, identifier, or ','`);
    expressions.push(requirement(match.groups));
    rest = rest.slice(match[0].length);
  }
  return (labels) => expressions.every((one) => matchesExpression(one, labels));
}

function requirement(groups: Readonly<Record<string, string | undefined>>): MatchExpression {
  const { absent, absentKey = '', key = '', equality, value = '', set, values = '' } = groups;
  if (absent) return { key: absentKey, operator: 'DoesNotExist' };
  if (equality) return { key, operator: equality === '!=' ? 'NotIn' : 'In', values: [value] };
  if (set) {
    const list = values.split(',').map((one) => one.trim());
    return { key, operator: set === 'in' ? 'In' : 'NotIn', values: list };
  }
  return { key, operator: 'Exists' };
}

/** Reads the fieldSelector of a query; unsupported fields are refused. */
export function parseFieldSelector(kind: Kind, text: string): (object: KubeObject) => boolean {
  const offered = ['metadata.name', ...(kind.namespaced ? ['metadata.namespace'] : []), ...kind.fields];
  const terms = text
    .split(',')
    .filter((term) => term.trim() !== '')
    .map((term) => {
      const match = /^([^!=]+?)(==|=|!=)(.*)$/.exec(term.trim());
      if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
      const [, field = '', operator, value = ''] = match;
      if (!offered.includes(field)) {
        const known = offered.map((one) => `"${one}"`).join(', ');
        throw badRequest(`"${field}" is not a known field selector: only ${known}`);
      }
      return { path: field.split('.'), equal: operator !== '!=', value };
    });
  return (object) => terms.every(({ path, equal, value }) => (fieldText(object, path) === value) === equal);
}

function fieldText(object: KubeObject, path: readonly string[]): string {
  const value = valueAt(object, path) ?? '';
  return typeof value === 'string' ? value : `${JSON.stringify(value)}`;
}
