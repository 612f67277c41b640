// Measures what Headstart promises on a real control plane; writes its section of docs/benchmarks.md.
import { measureCluster } from './measure-cluster';

await measureCluster();
