// Writes docs/reasons.md: every sentence in which Headstart gives a reason, made by the code that says it.
import { writeFileSync } from 'node:fs';
import { reasonsPage } from './reasons/page';

writeFileSync('docs/reasons.md', reasonsPage());
