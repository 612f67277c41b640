import type { Installation } from './installation';

/** Hands what the global set-up found to the test files. */
export function shareInstallation(found: Installation): void {
  process.env.HEADSTART_AWS_INSTALLATION = JSON.stringify(found);
}

/** Says why there is nothing to run. */
export function shareMissing(missing: string): void {
  process.env.HEADSTART_AWS_MISSING = missing;
}
