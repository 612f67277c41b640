import type { Faults } from '../bus/faults';

/** What `npm start -- ...` asks for. */
export interface StartOptions {
  readonly mode: 'console' | 'headless';
  readonly config: string;
  readonly env?: string;
  readonly scenario: string;
  readonly seed: number;
  readonly faults: Faults;
  /** Sandbox seconds per real second. */
  readonly speed: number;
  readonly nodeDelaySeconds: number;
  /** Where the sandbox's clock starts looking for the scenario's first moment. */
  readonly start?: number;
  readonly port?: number;
  readonly kubeconfig?: string;
  readonly act: boolean;
  readonly untilSeconds: number;
  readonly json: boolean;
}
