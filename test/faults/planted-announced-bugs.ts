import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import type { DeploymentManifest } from '../../shared/core/manifests/pause-deployment';
import type { Runtime } from '../../shared/core/ports/ports';
import { aheadText, handleAny, readAnnouncement } from './environment/announcements';
import { type HandlingStrategy, REAL_STRATEGY } from './environment/strategy';
import type { PlantedBug } from './planted-bugs';

interface Batch {
  readonly Records: readonly { readonly body: string }[];
}

/** Handles the messages about announced peaks after a change to them. */
function withMessages(change: (body: string, runtime: Runtime) => string): HandlingStrategy {
  return {
    ...REAL_STRATEGY,
    handle: (raw, runtime) => {
      if (runtime.accepts !== 'announcement') return handleAny(raw, runtime);
      const { Records } = raw as Batch;
      return handleAny({ Records: Records.map((one) => ({ ...one, body: change(one.body, runtime) })) }, runtime);
    },
  };
}

/** Writes another record than was decided. */
function miswriting(change: (record: Readonly<Record<string, unknown>>) => unknown): HandlingStrategy {
  const changed = (manifest: DeploymentManifest): DeploymentManifest => {
    const { metadata } = manifest;
    const annotations: Readonly<Record<string, string>> = metadata.annotations;
    const text = JSON.stringify(change(JSON.parse(annotations[ANNOTATIONS.record] ?? '{}')));
    const record = { [ANNOTATIONS.record]: text };
    return { ...manifest, metadata: { ...metadata, annotations: { ...metadata.annotations, ...record } } };
  };
  return {
    ...REAL_STRATEGY,
    cluster: (transport, namespace) => {
      const cluster = REAL_STRATEGY.cluster(transport, namespace);
      return { ...cluster, applyHeadroom: (manifest, version) => cluster.applyHeadroom(changed(manifest), version) };
    },
  };
}

type Peaks = Readonly<Record<string, { readonly from?: string }>>;

function keeping(
  { announced = {}, ...rest }: { readonly announced?: Peaks },
  isKept: (key: string, one: Peaks[string]) => boolean,
) {
  const kept = Object.entries(announced).filter(([key, one]) => isKept(key, one));
  return kept.length === 0 ? rest : { ...rest, announced: Object.fromEntries(kept) };
}

export const PLANTED_ANNOUNCED_BUGS: readonly PlantedBug[] = [
  {
    name: 'the message that arrives last stands, whatever its time',
    strategy: withMessages((body, { now }) => {
      if (!readAnnouncement(body) || aheadText(body, now()) !== undefined) return body;
      const at = new Date(now()).toISOString();
      return body.replace(/"time":"[^"]+"/, `"time":"${at}"`).replace(/"ingestedAt":"[^"]+"/, `"ingestedAt":"${at}"`);
    }),
    found: /announced is|lost the message about/,
  },
  {
    name: 'a cancellation that comes first is forgotten',
    strategy: miswriting((record) => keeping(record, (_key, { from }) => from !== undefined)),
    found: /announced is|lost the message about/,
  },
  {
    name: 'of too many peaks the one that begins last is kept, and another is lost without a word',
    strategy: miswriting((record) => {
      const count = Object.keys((record.announced as Peaks | undefined) ?? {}).length;
      return keeping(record, (key) => count < 12 || key !== 'campaign c0');
    }),
    seed: 8,
    found: /announced is|lost the message about|answered that it wrote/,
  },
  {
    name: 'a message is reported as handled, although it was not written',
    strategy: {
      ...REAL_STRATEGY,
      handle: async (raw, runtime) =>
        runtime.accepts === 'announcement'
          ? handleAny(raw, runtime).then(
              () => ({ batchItemFailures: [] }),
              () => ({ batchItemFailures: [] }),
            )
          : handleAny(raw, runtime),
    },
    found: /lost the message about/,
  },
];
