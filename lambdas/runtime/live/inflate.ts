import { keptLive } from '../../../shared/adapters/kube/live-ports';
import { useLive } from '../compose';
import { handler as withoutLive } from '../inflate';

useLive(keptLive);

/** The same with `cluster.liveSchedules`: what is kept counts. */
export const handler = withoutLive;
