import { DEFAULT_CAUSES } from '../../events/interruption-causes';

/** Every default of `headroom.yaml`, in one place; docs/config.md shows the same table. */
export const DEFAULTS = {
  namespace: 'headroom',
  access: 'entry',
  heartbeat: '1m',
  unit: { kind: 'node', requests: { cpu: '1' } },
  base: 0,
  leadTime: 'auto',
  autoLead: { min: '1m', max: '15m', start: '5m' },
  bus: 'default',
  image: 'registry.k8s.io/pause:3.10',
  alarm: { hold: '5m', statistic: 'Average', period: '1m', evaluationPeriods: 1 },
  interruptions: {
    surge: 1,
    max: 5,
    hold: '10m',
    on: DEFAULT_CAUSES,
  },
} as const;
