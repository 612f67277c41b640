import type { z } from 'zod';
import { ConfigInput } from '../schema/config-schema';
import { asMap } from '../yaml/untyped';

type Issue = z.core.$ZodIssue;

/** What the schema finds wrong; also below NodePools with invalid names, where zod itself does not look. */
export function schemaIssues(value: unknown): readonly Issue[] {
  const issues = ConfigInput.safeParse(value).error?.issues ?? [];
  const misnamed = issues.filter(isMisnamed).map(({ path }) => String(path[1]));
  if (misnamed.length === 0) return issues;
  const pools = Object.entries(asMap(asMap(value).nodePools));
  const standIn = (name: string) => `stand-in-${misnamed.indexOf(name)}`;
  const renamed = pools.map(([name, pool]) => [misnamed.includes(name) ? standIn(name) : name, pool]);
  const again = ConfigInput.safeParse({ ...asMap(value), nodePools: Object.fromEntries(renamed) }).error?.issues ?? [];
  const original = new Map(misnamed.map((name) => [standIn(name), name]));
  const below = again.filter(({ path: [first, name] }) => first === 'nodePools' && original.has(String(name)));
  return [...issues, ...below.map((issue) => withName(issue, original.get(String(issue.path[1])) ?? ''))];
}

function isMisnamed({ code, path }: Issue): boolean {
  return code === 'invalid_key' && path.length === 2 && path[0] === 'nodePools';
}

function withName(issue: Issue, name: string): Issue {
  const [first = '', , ...rest] = issue.path;
  return { ...issue, path: [first, name, ...rest] };
}
