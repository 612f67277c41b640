// Measures what a peak costs with room and with floors on a real control plane; writes its section of docs/benchmarks.md.
import { measureFloors } from './measure-floors';

await measureFloors();
