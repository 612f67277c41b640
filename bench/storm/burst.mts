// Sends a burst of announcements of one peak through the deployed function; writes its section of docs/benchmarks.md.
// A number of events as argument is a rehearsal, which writes nothing.
import { measureBurst } from './measure-burst';

const [size] = process.argv.slice(2).map(Number);
await measureBurst(size);
