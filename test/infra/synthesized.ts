import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { HeadstartStack, type HeadstartStackProps } from '../../infra/headstart-stack';
import { KarpenterStack } from '../../infra/karpenter-stack';
import { newApp } from '../../infra/new-app';
import type { Config } from '../../shared/core/config/config';
import { loadedConfig } from '../fakes/loaded-config';

/** A day before anything in the configs of these tests happens. */
export const NOW = new Date('2026-11-01T00:00:00Z');

export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is whatever CloudFormation takes
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Synthesized {
  readonly terminationProtection: boolean;
  readonly resources: Readonly<Record<string, Resource>>;
  readonly outputs: Readonly<Record<string, { readonly Value: unknown; readonly Description?: string }>>;
  readonly infos: readonly string[];
  /** The resources of a type, by their ids without hashes. */
  all(type: string): Readonly<Record<string, Resource>>;
  /** The one resource of a type whose id, without the hash, starts with a text. */
  one(type: string, id?: string): Resource;
}

/** Checks a config that is written as YAML. */
export function configOf(text: string): Config {
  return loadedConfig(text);
}

/** The headroom stack of a config, without bundling and validation, which have tests of their own. */
export function synthesized(
  config: Config,
  context: object = {},
  { props, change }: { readonly props?: Partial<HeadstartStackProps>; readonly change?: (stack: Stack) => void } = {},
): Synthesized {
  const add = (app: App) => {
    const stack = new HeadstartStack(app, 'Stack', { config, now: NOW, ...props });
    change?.(stack);
    return stack;
  };
  return props || change ? synthesize(add, context) : once(add, ['headroom', config, context]);
}

/** The stack that Karpenter and its nodes live on, likewise. */
export function synthesizedKarpenter(config: Config, context: object = {}): Synthesized {
  return once((app) => new KarpenterStack(app, 'Karpenter', { config }), ['karpenter', config, context]);
}

const known = new Map<string, Synthesized>();

/** What is the same by `key` is synthesized once per test file. */
function once(add: (app: App) => Stack, key: readonly [stack: string, config: Config, context: object]): Synthesized {
  const text = JSON.stringify(key);
  const made = known.get(text) ?? synthesize(add, key[2]);
  known.set(text, made);
  return made;
}

function synthesize(add: (app: App) => Stack, context: object): Synthesized {
  const outdir = mkdtempSync(join(tmpdir(), 'headstart-synth-'));
  try {
    const app = newApp({ outdir, treeMetadata: false, context: { 'aws:cdk:bundling-stacks': [], ...context } });
    const stack = add(app);
    const { template, messages, terminationProtection = false } = app.synth().getStackByName(stack.stackName);
    const resources: Record<string, Resource> = template.Resources;
    return {
      resources,
      terminationProtection,
      outputs: template.Outputs ?? {},
      infos: messages.filter(({ level }) => level === 'info').map(({ entry }) => String(entry.data)),
      all: (type) => allOf(resources, type),
      one: (type, id = '') => {
        const found = Object.entries(allOf(resources, type)).filter(([name]) => name.startsWith(id));
        const [only, ...others] = found.map(([, resource]) => resource);
        if (!only || others.length > 0)
          throw new Error(`expected one ${type} ${id}, got ${found.map(([name]) => name).join(', ') || 'none'}`);
        return only;
      },
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

function allOf(resources: Readonly<Record<string, Resource>>, type: string): Record<string, Resource> {
  const found = Object.entries(resources).filter(([, { Type }]) => Type === type);
  return Object.fromEntries(found.map(([id, resource]) => [withoutHash(id), readable(resource) as Resource]));
}

export function withoutHash(id: string): string {
  return id.replace(/^Headstart/, '').replace(/[0-9A-F]{8}$/, '');
}

/** Template functions as short text: `<ReconcileFunction.Arn>`, and joins joined. */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const { Ref: ref, 'Fn::GetAtt': getAtt, 'Fn::Join': joined } = value as Record<string, unknown>;
  if (typeof ref === 'string') return `<${ref.startsWith('AWS::') ? ref : withoutHash(ref)}>`;
  if (Array.isArray(getAtt)) return `<${withoutHash(String(getAtt[0]))}.${getAtt[1]}>`;
  if (Array.isArray(joined)) return (joined[1] as unknown[]).map(readable).join(String(joined[0]));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readable(inner)]));
}
