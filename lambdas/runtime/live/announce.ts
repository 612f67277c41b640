import { keptLive } from '../../../shared/adapters/kube/live-ports';
import { handler as withoutLive } from '../announce';
import { useLive } from '../compose';

useLive(keptLive);

/** The same with `cluster.liveSchedules`: what is kept counts. */
export const handler = withoutLive;
