import { rmSync } from 'node:fs';
import { packed } from './packed';

export default function clean(): void {
  const { root } = packed();
  if (root) rmSync(root, { recursive: true, force: true });
}
