import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { KubeObject } from '../harness/api-client';
import { cacheFolder } from '../harness/build/cache-folder';
import { downloadModule } from '../harness/build/go';

/** The provider is published less often than Karpenter's core; only its schema is used. */
const MODULE = 'github.com/aws/karpenter-provider-aws@v1.14.1';
const PATH = ['pkg', 'apis', 'crds', 'karpenter.k8s.aws_ec2nodeclasses.yaml'];

/** The type of EC2NodeClasses, from the Go module of Karpenter's AWS provider; kept, so that a second run needs no network. */
export async function ec2NodeClassCrd(): Promise<KubeObject> {
  const kept = join(cacheFolder(), 'schemas', `${MODULE.replaceAll('/', '-')}.yaml`);
  if (!existsSync(kept)) {
    mkdirSync(join(cacheFolder(), 'schemas'), { recursive: true });
    const folder = await downloadModule(join(cacheFolder(), 'schemas'), MODULE);
    writeFileSync(kept, readFileSync(join(folder, ...PATH)));
  }
  return parse(readFileSync(kept, 'utf8'));
}
