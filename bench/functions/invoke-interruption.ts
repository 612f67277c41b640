import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE_FILE, bundleTo } from '../../infra/bundling/bundling';
import type { Config } from '../../shared/core/config/config';
import { EVENT_QUEUE } from '../../shared/core/events/delivery-limits';

export interface Invoked {
  readonly failed: number;
  readonly milliseconds: number;
  readonly maxRssMb: number;
}

/** Makes the bundle that is deployed. */
export function bundleInterruption(folder: string, config: Config): void {
  bundleTo(folder, 'runtime/interruption', { config });
}

/** One notice of a foreign instance, handled in a process of its own, with the time that Lambda would leave it. */
export function invoke(folder: string, env: Readonly<Record<string, string>>): Promise<Invoked> {
  const body = JSON.stringify({
    source: 'aws.ec2',
    'detail-type': 'EC2 Spot Instance Interruption Warning',
    time: new Date().toISOString(),
    detail: { 'instance-id': 'i-0123456789abcdef0', 'instance-action': 'terminate' },
  });
  const file = join(folder, 'invoke.mjs');
  writeFileSync(
    file,
    `import { handler } from './${BUNDLE_FILE}';
    const started = Date.now();
    const getRemainingTimeInMillis = () => ${EVENT_QUEUE.functionTimeoutSeconds * 1_000} + started - Date.now();
    const event = { Records: [{ messageId: 'm', body: ${JSON.stringify(body)} }] };
    const { batchItemFailures } = await handler(event, { getRemainingTimeInMillis });
    const maxRssMb = process.resourceUsage().maxRSS / 1024;
    console.log(JSON.stringify({ failed: batchItemFailures.length, milliseconds: Date.now() - started, maxRssMb }));
    process.exit();`,
  );
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  return new Promise((resolve) =>
    child.on('close', () => resolve(JSON.parse(output.trim().split('\n').at(-1) ?? '') as Invoked)),
  );
}
