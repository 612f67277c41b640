// Measures KEDA's cron scaler and Headstart by the same window; writes its section of docs/benchmarks.md.
import { measureKeda } from './measure-keda';

await measureKeda();
