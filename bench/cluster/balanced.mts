// Watches room and a floor under Karpenter's consolidation policy Balanced, on a real control plane, while work comes
// and goes; prints a table for docs/karpenter-notes.md. Another number of minutes as an argument is a rehearsal.
import { measureBalanced } from './measure-balanced';

const [minutes = '10'] = process.argv.slice(2);
await measureBalanced(Number(minutes));
