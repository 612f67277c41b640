import { type Alias, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type YAMLMap } from 'yaml';
import type { Located, LocatedEntry, LocatedMap } from './located';
import type { Place, Problem } from './problem';
import { DEPTH_MESSAGE, MAX_DEPTH, readDocument } from './yaml-document';

/** With all anchors repeated where their aliases stand. */
const MAX_VALUES = 100_000;

export interface ConfigSource {
  readonly file: string;
  readonly text: string;
}

/** Reads one YAML file; what is wrong with the YAML is a problem with a place, like any other. */
export function readLocated({ file, text }: ConfigSource): { tree: Located; problems: readonly Problem[] } {
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const { document, faults } = readDocument(text, lines);
  const problems = faults.map(({ offset, message }) => ({ ...placeAt(offset), path: '', message }));
  const reader = new Reader(placeAt, document?.contents);
  const tree = reader.read(problems.length > 0 ? null : document?.contents, { file, line: 1, column: 1 });
  return { tree, problems: [...problems, ...reader.problems] };
}

type MaybeNode = Node | null | undefined;

/** Turns YAML nodes into values that know their place, aliases into what they repeat. */
class Reader {
  readonly problems: Problem[] = [];
  private readonly targets: ReadonlyMap<Alias, Node>;
  /** The nodes around the one that is being read, aliases followed. */
  private readonly around: Node[] = [];
  /** The alias in the text that is being followed. */
  private following: Place | undefined;
  private values = 0;

  constructor(
    private readonly placeAt: (offset: number) => Place,
    contents: MaybeNode,
  ) {
    this.targets = aliasTargets(contents);
  }

  read(node: MaybeNode, fallback: Place): Located {
    const place = this.placeOf(node, fallback);
    const nothing: Located = { kind: 'scalar', place, value: null };
    this.values += 1;
    if (this.values > MAX_VALUES) {
      if (this.values === MAX_VALUES + 1)
        this.say(this.following ?? place, 'expands to more than 100,000 values; repeat fewer anchors');
      return nothing;
    }
    if (this.around.length > MAX_DEPTH) {
      this.say(this.following ?? place, DEPTH_MESSAGE);
      this.values = MAX_VALUES + 1;
      return nothing;
    }
    if (isAlias(node)) return this.follow(node, place);
    if (isScalar(node)) return { kind: 'scalar', place, value: node.value };
    if (!isSeq(node) && !isMap(node)) return nothing;
    this.around.push(node);
    const read: Located = isSeq(node)
      ? { kind: 'list', place, items: node.items.map((item) => this.read(item as MaybeNode, place)) }
      : { kind: 'map', place, entries: this.entries(node, place) };
    this.around.pop();
    return read;
  }

  private follow(alias: Alias, place: Place): Located {
    const target = this.targets.get(alias);
    const nothing: Located = { kind: 'scalar', place, value: null };
    const name = alias.source;
    if (!target) {
      this.say(place, `*${name} has no anchor &${name} before it; write &${name} in front of the value to repeat`);
      return nothing;
    }
    if (this.around.includes(target)) {
      this.say(place, `*${name} is inside the anchor &${name} that it repeats; write the values out`);
      return nothing;
    }
    const outermost = this.following === undefined;
    this.following ??= place;
    const read = { ...this.read(target, place), place };
    if (outermost) this.following = undefined;
    return read;
  }

  private entries(map: YAMLMap, place: Place): Map<string, LocatedEntry> {
    const entries = new Map<string, LocatedEntry>();
    const lenders: LocatedMap[] = [];
    for (const { key, value } of map.items) {
      const keyPlace = this.placeOf(key as MaybeNode, place);
      const name = this.nameOf(key, keyPlace);
      if (name === undefined) continue;
      const child = this.read(value as MaybeNode, keyPlace);
      const lends = name === '<<' ? lendersOf(child) : undefined;
      if (lends) lenders.push(...lends);
      else if (entries.has(name)) this.say(keyPlace, `${JSON.stringify(name)} is written twice; write it once`);
      else entries.set(name, { keyPlace, value: child });
    }
    // Keys that are written here count, then those of the first lender.
    for (const [key, entry] of lenders.flatMap((lender) => [...lender.entries]))
      if (!entries.has(key)) entries.set(key, entry);
    return entries;
  }

  private nameOf(key: unknown, place: Place): string | undefined {
    const node = isAlias(key) ? this.targets.get(key) : key;
    if (!isScalar(node)) this.say(place, 'a list or a map cannot be a key; write a word');
    else if (node.value === '__proto__') this.say(place, '"__proto__" is not a valid name; write another');
    else return String(node.value);
    return undefined;
  }

  private placeOf(node: MaybeNode, fallback: Place): Place {
    return node?.range ? this.placeAt(node.range[0]) : fallback;
  }

  private say(place: Place, message: string): void {
    this.problems.push({ ...place, path: '', message });
  }
}

/** The maps of `<<: *anchor` and `<<: [*one, *other]`; `undefined` for anything else. */
function lendersOf(value: Located): readonly LocatedMap[] | undefined {
  const lenders = value.kind === 'list' ? value.items : [value];
  return lenders.every((lender) => lender.kind === 'map') ? lenders : undefined;
}

/** An alias repeats the node that had its anchor last, in the order of the text. */
function aliasTargets(contents: MaybeNode): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target) targets.set(node, target);
      return;
    }
    if (!isScalar(node) && !isSeq(node) && !isMap(node)) return;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isSeq(node)) for (const item of node.items) visit(item);
    if (isMap(node))
      for (const { key, value } of node.items) {
        visit(key);
        visit(value);
      }
  };
  visit(contents);
  return targets;
}
