/**
 * What runs between the arrival of an event and its answer: where a mistake would cost somebody nodes. Rules, schemas and
 * texts of the config, schedules for AWS, Karpenter's prerequisites, and what only answers `status` are not on it.
 */
const ON_THE_WAY: readonly RegExp[] = [
  /^shared\/core\/(handle|process-event|outcome|respond|report)\.ts$/,
  /^shared\/core\/(apply|events|intents|observe|record)\//,
  /^shared\/core\/decision\/(decide|decision-time|requested-text)\.ts$/,
  /^shared\/core\/windows\/(clock-change|closing|cron-times|day-edges|edges|highest-window|is-open|window|zone)\.ts$/,
  /^shared\/core\/manifests\/(annotations|pause-deployment)\.ts$/,
  /^shared\/core\/karpenter\/(can-land|matches-expression)\.ts$/,
  /^shared\/core\/basics\/(failures|in-parallel|names|retry)\.ts$/,
  /^shared\/adapters\/kube\/(kube-cluster|kube-error|kube-transport|list-in-pages)\.ts$/,
  /^shared\/adapters\/http\/fresh-after-idle\.ts$/,
];

/** Written for tables and metadata that infra and docs derive from, not read when an event arrives. */
const BESIDE_IT = /^shared\/core\/events\/(sources-table|delivery-limits|interruption-causes)\.ts$/;

export function isOnEventWay(file: string): boolean {
  return ON_THE_WAY.some((pattern) => pattern.test(file)) && !BESIDE_IT.test(file);
}
