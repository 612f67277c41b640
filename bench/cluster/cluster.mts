// Measures what Headstart promises on a real control plane; writes its sections of docs/benchmarks.md.
// One part only: npm run bench -- cluster handlers (or starts, or sizes; bursts and wake-ups run only when named)
import { measureCluster } from './measure-cluster';

await measureCluster(process.argv.slice(2));
