// How often a window waits for a node, and what a lead time for all of its nodes costs: npm run bench -- lead-times
import { compareRules, KINDS } from '../../test/shared/core/occurrences/simulated-lead-times';
import { writeSection } from '../results';

const RUNS = 60;

const rows = Object.entries(KINDS).flatMap(([name, kind]) =>
  [2, 6, 20].map((nodes) => {
    const { late, minutes, mostLonger, nodeHours } = compareRules(kind, nodes, RUNS);
    const times = `${minutes.one.toFixed(1)} → ${minutes.all.toFixed(1)} min`;
    return `| ${name} | ${nodes} | ${late.one.toFixed(1)} → **${late.all.toFixed(1)} %** | ${times}, at most ${mostLonger} min more | ${nodeHours.toFixed(2)} |`;
  }),
);

writeSection(
  'lead-times',
  `## Lead times for all nodes of a window

\`npm run bench -- lead-times\`: a window that asks for so many nodes once a day, with \`leadTime: auto\`; ${RUNS} histories of 100 days, after 30 days of learning (\`test/shared/core/occurrences/simulated-lead-times.ts\`). Simulated: each node takes a time of its own, drawn independently. *Late* is a window whose last node is ready after its start, even by a second; before: the 95th percentile of one node. Windows that fall into the hour without capacity are not counted as late, by either rule; they lengthen no other lead time. Targets: at most 5 % (6 nodes, 70 s), 10 % (6 nodes, 4 % of them slow), 25 % (20 nodes, 4 % of them slow), for at most 4 minutes more.

| nodes take | nodes | late, before → now | mean lead time, before → now | more node-hours, each window |
|---|---|---|---|---|
${rows.join('\n')}`,
);
