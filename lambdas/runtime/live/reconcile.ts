import { readLive } from '../../../shared/adapters/kube/live-ports';
import { useLive } from '../compose';
import { handler as withoutLive } from '../reconcile';

useLive(readLive);

/** The same with `cluster.liveSchedules`: it reads the ConfigMap beside its lists. */
export const handler = withoutLive;
