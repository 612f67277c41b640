import { install, missingForInstallation } from './harness/installation';
import { shareInstallation, shareMissing } from './harness/share-installation';

/** Installs what the suite needs, or says why it is skipped. */
export default async function setUp(): Promise<void> {
  const missing = await missingForInstallation();
  if (missing === undefined) return shareInstallation(await install((message) => console.error(message)));
  if (/^(true|1)$/.test(process.env.CI ?? '')) throw new Error(missing);
  console.warn(`\nThe emulated-AWS suite is skipped: ${missing}`);
  shareMissing(missing);
}
