import type { Commands } from '../../cli/input/commands';
import { type Load, sum } from '../../cli/kube/pod-load';
import { quantityText } from '../../cli/terminal/quantity-text';
import { painter, type Terminal } from '../../cli/terminal/terminal';
import { wrap, wrapAfter } from '../../cli/terminal/wrap';
import { count } from '../../shared/drawing/amounts';
import { columns } from '../../shared/drawing/page';
import { table } from '../terminal/text-table';
import type { NodeGroup } from './group-facts';
import { heldText, type Move, type MoveStep } from './move-steps';

const GROUPS = columns('node group', 'nodes #', 'pods that move #', 'cpu #', 'memory #', 'managed by');

type Screen = Pick<Terminal, 'width' | 'colours'>;

export function drawGroups(groups: readonly NodeGroup[], { headstart }: Commands, screen: Screen): string {
  const rows = groups.map(({ name, nodes, managed }) => {
    const load = sum(nodes.map((node) => node.load));
    const pods = nodes.reduce((total, node) => total + node.pods, 0);
    return [name, String(nodes.length), String(pods), ...loadTexts(load), managed ? 'EKS' : 'self'];
  });
  const drawn = table(GROUPS, rows, screen.width);
  const next = `to print the steps for one of them, run ${headstart('migrate', 'GROUP')}`;
  return `${[drawn, ...wrap(next, screen.width)].join('\n')}\n`;
}

function loadTexts({ cpu, memory }: Load): [string, string] {
  return [
    quantityText('cpu', Math.round(cpu * 1_000) / 1_000),
    quantityText('memory', Math.ceil(memory / 2 ** 20) * 2 ** 20),
  ];
}

export function drawMove(move: Move, steps: readonly MoveStep[], { width, colours }: Screen): string {
  const paint = painter({ colours });
  const { group, pool, holding, keep } = move;
  const load = sum(group.nodes.map((node) => node.load));
  const [cpu, memory] = loadTexts(load);
  const head = [
    ...wrap(
      `Move node group ${group.name} (${count(group.nodes.length, 'node')}; its pods request ${cpu} cpu and ${memory}) to NodePool ${pool.nodePool}: hold up to ${heldText(pool, holding.most)} with Karpenter, then drain the group.`,
      width,
    ),
    ...wrap(`${keep} stays for coredns, metrics-server and the Karpenter controller. Nothing has been changed.`, width),
    ...(holding.tooLarge.length === 0
      ? []
      : wrapAfter('warning: ', '  ', tooLargeText(holding.tooLarge, pool.name), width)),
  ];
  const blocks = steps.map(({ title, commands, check, back }, index) => [
    '',
    ...wrapAfter(`${index + 1}. `, '   ', title, width).map((line) => paint('bold', line)),
    ...commands.map((line) => `     ${line}`),
    ...labelled('check', check),
    ...labelled('undo', back),
  ]);
  return `${[...head, ...blocks.flat()].join('\n')}\n`;
}

/** Commands are not wrapped: they are there to be copied. */
function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `   ${(index === 0 ? label : '').padEnd(6)}${line}`);
}

function tooLargeText(pods: readonly string[], pool: string): string {
  const [first = '', ...others] = pods;
  const who = others.length === 0 ? `${first} requests` : `${first} and ${count(others.length, 'other')} request`;
  return `${who} more than one replica holds; make the unit of ${pool} as large as your largest pod, or these pods wait for a node`;
}
