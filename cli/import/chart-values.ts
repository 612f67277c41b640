import { asMap } from '../../shared/core/config/untyped';
import { documentsIn, type InputDocument, labelOf } from './documents';

/** The values of one release, wherever they are written. */
export interface ChartValues {
  readonly document: InputDocument;
  readonly chart: 'codecentric' | 'deliveryhero';
}

const SUBCHART = 'cluster-overprovisioner';
const CODECENTRIC = ['op', 'cpa', 'defaultConfig', 'schedules'];
const DELIVERYHERO = ['deployments', 'priorityClassOverprovision', 'priorityClassDefault'];

/** The values of a cluster-overprovisioner chart: as a file, under the chart's name, in a HelmRelease, in an Application. */
export function chartValues(document: InputDocument): ChartValues | undefined {
  const { kind } = asMap(document.value);
  const holder = kind === undefined ? document : fromRelease(document);
  if (!holder) return undefined;
  const nested = asMap(holder.value)[SUBCHART];
  const values = nested === undefined ? holder : { ...holder, value: nested };
  const keys = Object.keys(asMap(values.value));
  if (keys.some((key) => CODECENTRIC.includes(key))) return { document: values, chart: 'codecentric' };
  return keys.some((key) => DELIVERYHERO.includes(key)) ? { document: values, chart: 'deliveryhero' } : undefined;
}

/** Flux' HelmRelease and Argo CD's Application. */
function fromRelease(document: InputDocument): InputDocument | undefined {
  const { kind, spec } = asMap(document.value);
  const file = labelOf(document);
  if (kind === 'HelmRelease') return { file, value: asMap(spec).values };
  if (kind !== 'Application') return undefined;
  const { valuesObject, values } = asMap(asMap(asMap(spec).source).helm);
  if (valuesObject !== undefined) return { file, value: valuesObject };
  return typeof values === 'string' ? { file, value: documentsIn(values, file)[0]?.value } : undefined;
}
