import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AwsCall, Statement } from '../../deploys/account';
import { installation } from '../harness/shared-installation';

export interface PolicyEvaluator {
  /** Whether these statements, and nothing else, allow the call, with their conditions. */
  allows(statements: readonly Statement[], call: AwsCall): Promise<boolean>;
  stop(): Promise<void>;
}

interface Decision {
  readonly id: number;
  readonly allowed: boolean;
  readonly errors?: unknown;
}

/** Starts the process that evaluates IAM policies. */
export function startPolicyEvaluator(): PolicyEvaluator {
  const { policyEvaluator } = installation();
  const child = spawn(process.execPath, [join(__dirname, 'policy-evaluator.mjs'), policyEvaluator], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const asked = new Map<number, { resolve: (allowed: boolean) => void; reject: (error: Error) => void }>();
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, allowed, errors } = JSON.parse(line) as Decision;
    const one = asked.get(id);
    asked.delete(id);
    // A request that is not valid, such as a resource of the wrong type, is a mistake of the suite.
    if (errors !== undefined) one?.reject(new Error(`IAM does not know this request: ${JSON.stringify(errors)}`));
    else one?.resolve(allowed);
  });
  child.on('exit', () => {
    for (const { reject } of asked.values()) reject(new Error('the process that evaluates policies has ended'));
  });
  return {
    allows: (statements, { action, resource, principal, context = {} }) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        asked.set(id, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ id, statements, action, resource, principal, context })}\n`);
      }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
