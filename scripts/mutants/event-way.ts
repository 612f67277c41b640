/**
 * What runs between the arrival of an event and its answer: where a mistake would cost somebody nodes. Rules, schemas and
 * texts of the config, schedules for AWS, Karpenter's prerequisites, and what only answers `status` are not on it.
 */
const ON_THE_WAY: readonly RegExp[] = [
  /^shared\/core\/(cluster-events|handle|process-event|outcome|respond|log-and-count)\.ts$/,
  /^shared\/core\/(apply|events|intents|like|live|observe|occurrences|record|taken|wake-up)\//,
  /^shared\/core\/decision\/(decide|decision-time|held-size|next-decision)\.ts$/,
  /^shared\/core\/windows\/(clock-change|closing|cron-times|day-edges|edges|highest-window|is-open|window|zone)\.ts$/,
  /^shared\/core\/manifests\/(annotations|pause-deployment|ready-pods)\.ts$/,
  /^shared\/core\/karpenter\/(can-land|matches-expression)\.ts$/,
  /^shared\/core\/basics\/(failures|names|promises|retry|share)\.ts$/,
  /^shared\/adapters\/kube\/(call-with-retries|kube-cluster|kube-error|kube-events|kube-transport|like-ports|list-in-pages|live-ports|pause-pods|read-ahead|read-response|try-once)\.ts$/,
  /^shared\/adapters\/http\/fresh-after-idle\.ts$/,
];

/** Written for tables and metadata that infra and docs derive from, not read when an event arrives. */
const BESIDE_IT = /^shared\/core\/(events\/(event-sources|delivery-limits|interruption-causes)|like\/planned)\.ts$/;

export function isOnEventWay(file: string): boolean {
  return ON_THE_WAY.some((pattern) => pattern.test(file)) && !BESIDE_IT.test(file);
}
