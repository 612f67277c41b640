// Sends storms of interruption notices through the deployed function; writes its section of docs/benchmarks.md.
// Sizes as arguments (100 1000) are a rehearsal, which writes nothing.
import { measureStorms } from './measure-storms';

const sizes = process.argv.slice(2).map(Number);
await measureStorms(sizes.length > 0 ? sizes : undefined);
