import { type Context, error, type Findings, warning } from './finding';

const REFERENCE = /^(?:[\w.-]+(?::\d+)?\/)*[\w.-]+(?::([\w][\w.-]{0,127}))?(?:@sha256:[0-9a-f]{64})?$/;
const FIX = 'use registry.k8s.io/pause:3.10, or a copy in a registry that the nodes can reach';

/** The pause image must have a valid, fixed reference, in a registry that is going to stay. */
export function* checkImages({ config: { headrooms } }: Context): Findings {
  for (const image of new Set(headrooms.map((pool) => pool.image))) {
    const about = `image ${image}`;
    const users = headrooms.filter((pool) => pool.image === image).map(({ name }) => name);
    const evidence = `used by the headroom of ${users.join(', ')}`;
    const match = REFERENCE.exec(image);
    if (!match) yield error(about, 'is not an image reference', evidence, FIX);
    else if (image.startsWith('k8s.gcr.io/'))
      yield error(about, 'is in a registry that was frozen in 2023 and may go away', evidence, FIX);
    else if (!image.includes('@') && (match[1] === undefined || match[1] === 'latest'))
      yield warning(about, 'has no fixed version', evidence, FIX);
  }
}
