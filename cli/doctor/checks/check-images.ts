import type { NodePoolConfig } from '../../../shared/core/config/config';
import type { Finding } from './finding';

const REFERENCE = /^(?:[\w.-]+(?::\d+)?\/)*[\w.-]+(?::([\w][\w.-]{0,127}))?(?:@sha256:[0-9a-f]{64})?$/;

/** The pause image must have a valid, fixed reference, in a registry that is going to stay. */
export function checkImages(pools: readonly NodePoolConfig[]): Finding[] {
  const images = [...new Set(pools.map(({ image }) => image))];
  return images.flatMap((image) => {
    const users = pools.filter((pool) => pool.image === image).map(({ name }) => name);
    return checkImage(image, users.join(', '));
  });
}

function checkImage(image: string, users: string): Finding[] {
  const about = `image ${image}`;
  const fix = 'use registry.k8s.io/pause:3.10, or a copy in a registry that the nodes can reach';
  const evidence = `used by the headroom of ${users}`;
  const match = REFERENCE.exec(image);
  if (!match) return [{ severity: 'error', about, problem: 'is not an image reference', evidence, fix }];
  if (image.startsWith('k8s.gcr.io/'))
    return [
      { severity: 'error', about, problem: 'is in a registry that was frozen in 2023 and may go away', evidence, fix },
    ];
  if (!image.includes('@') && (match[1] === undefined || match[1] === 'latest'))
    return [{ severity: 'warning', about, problem: 'has no fixed version', evidence, fix }];
  return [];
}
