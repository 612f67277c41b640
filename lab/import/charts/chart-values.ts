import { isObject } from '../../../shared/core/basics/json';
import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import { documentsIn, type InputDocument, labelOf } from '../input/documents';

export interface ChartValues {
  readonly document: InputDocument;
  readonly chart: 'codecentric' | 'deliveryhero';
}

const SUBCHART = 'cluster-overprovisioner';
/** Keys that a deployment of pause pods never has, but that of another chart does. */
const OF_WORK = ['image', 'containers', 'ports'];

/** Finds the values of a cluster-overprovisioner chart: in a file, under its name, in a HelmRelease or an Application. */
export function chartValues(document: InputDocument): ChartValues | undefined {
  const { kind } = asMap(document.value);
  const holder = kind === undefined ? { values: document } : fromRelease(document);
  if (!holder) return undefined;
  const nested = asMap(holder.values.value)[SUBCHART];
  if (nested === undefined && holder.chart !== undefined && !/over-?provision/i.test(String(holder.chart)))
    return undefined;
  const values = nested === undefined ? holder.values : { ...holder.values, value: nested };
  const chart = chartOf(asMap(values.value));
  return chart && { document: values, chart };
}

/** Other charts have `schedules` and `deployments` too, of another shape. */
function chartOf({
  op,
  cpa,
  defaultConfig,
  schedules,
  deployments,
  ...rest
}: Values): ChartValues['chart'] | undefined {
  const switches = asList(schedules).some((one) => 'cronTimeExpression' in asMap(one));
  const { ladder, linear } = asMap(defaultConfig);
  if ([op, cpa, ladder, linear].some(isObject) || switches) return 'codecentric';
  const spare = Array.isArray(deployments) && deployments.every((one) => !OF_WORK.some((key) => key in asMap(one)));
  const classes = 'priorityClassOverprovision' in rest || 'priorityClassDefault' in rest;
  return spare || classes ? 'deliveryhero' : undefined;
}

interface Release {
  readonly values: InputDocument;
  /** The chart's name, if the object has it. */
  readonly chart?: unknown;
}

function fromRelease(document: InputDocument): Release | undefined {
  const { kind, spec } = asMap(document.value);
  const file = labelOf(document);
  if (kind === 'HelmRelease') {
    const { chart } = asMap(asMap(asMap(spec).chart).spec);
    return { values: { file, value: asMap(spec).values }, chart };
  }
  if (kind !== 'Application') return undefined;
  const { chart, helm } = asMap(asMap(spec).source);
  const { valuesObject, values } = asMap(helm);
  if (valuesObject !== undefined) return { values: { file, value: valuesObject }, chart };
  return typeof values === 'string'
    ? { values: { file, value: documentsIn(values, file)[0]?.value }, chart }
    : undefined;
}
