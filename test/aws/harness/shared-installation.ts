import type { Installation } from './installation';

const { HEADSTART_AWS_INSTALLATION, HEADSTART_AWS_MISSING } = process.env;

/** `describe` for tests that need the emulated AWS: skipped where there is none, as the start of the run has said. */
export const describeAws = HEADSTART_AWS_MISSING === undefined ? describe : describe.skip;

/** What the global set-up installed. */
export function installation(): Installation {
  if (HEADSTART_AWS_INSTALLATION === undefined) throw new Error('run this by the jest.config.js of test/aws');
  return JSON.parse(HEADSTART_AWS_INSTALLATION) as Installation;
}
