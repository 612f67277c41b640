import { join } from 'node:path';

/** Loads a group's test files as one, so that what they share is loaded once for each mutant and not by every file. */
const files: readonly string[] = JSON.parse(process.env.MUTATE_TESTS ?? '[]');
for (const file of files) require(join(__dirname, '../..', file));
