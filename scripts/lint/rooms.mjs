import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { argv, exit } from 'node:process';
import { cyclesIn } from './cycles.mjs';

/** Which rooms a room may import, besides itself. The longest matching name is a file's room. */
const MAY_IMPORT = {
  'shared/core': [],
  'shared/drawing': ['shared/core', 'shared/pricing'],
  'shared/report': ['shared/core', 'shared/drawing', 'shared/pricing'],
  'shared/pricing': ['shared/core'],
  'shared/adapters': ['shared/core'],
  lambdas: ['shared'],
  infra: ['shared'],
  cli: ['shared'],
  'cli/export': ['shared', 'cli', 'infra'],
  lab: [
    'shared',
    ...['aws', 'config-file', 'functions', 'input', 'kube', 'prometheus', 'terminal'].map((name) => `cli/${name}`),
  ],
  'lab/learning': ['shared/core'],
  'lab/local-server': [],
  'lab/simulator': ['shared', 'lab/learning', 'lab/local-server'],
  'lab/console': ['shared', 'lab/simulator', 'lab/local-server'],
  scripts: ['shared', 'lambdas', 'infra', 'cli', 'lab', 'test', 'bench'],
  test: ['shared', 'lambdas', 'infra', 'cli', 'lab', 'scripts', 'bench'],
  bench: ['shared', 'lambdas', 'infra', 'cli', 'lab', 'scripts', 'test'],
};

/** What one file may import beyond its room: the table of commands names those of the lab, and the sandbox prints a report. */
const DOORS = [
  { from: /^cli\/program\.ts$/, to: /^lab\/[\w-]+\/command\.ts$/ },
  { from: /^lab\/sandbox\/headless\.ts$/, to: /^cli\/report\/draw-report\.ts$/ },
];

const FOLDERS = ['shared', 'lambdas', 'infra', 'cli', 'lab', 'scripts', 'test', 'bench'];
const SOURCE = /\.[cm]?[jt]s$/;
const MADE_BY_TOOLS = new Set(['node_modules', 'dist', 'cdk.out']);

/** Imports, re-exports, dynamic imports, requires, and types that a comment imports. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g;
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '.json'];

const root = argv[2] ?? '.';
const files = new Set(FOLDERS.flatMap(filesUnder));
const imports = [...files].filter((file) => SOURCE.test(file)).flatMap(importsOf);

const problems = [
  ...imports.filter((found) => !isAllowed(found)).map(wrongDirection),
  ...cyclesIn(imports, (file) => file).map((cycle) => drawn('files', cycle)),
  ...cyclesIn(imports, posix.dirname).map((cycle) => drawn('folders', cycle)),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) exit(1);
console.log(`${imports.length} imports between ${files.size} files keep to their rooms, without cycles`);

function filesUnder(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return MADE_BY_TOOLS.has(basename(path)) ? [] : filesUnder(path);
    return [path];
  });
}

function importsOf(from) {
  const text = readFileSync(join(root, from), 'utf8');
  return [...text.matchAll(IMPORT)].flatMap(({ 1: specifier, index }) => {
    const path = posix.join(posix.dirname(from), specifier);
    const to = ENDINGS.map((ending) => path + ending).find((candidate) => files.has(candidate));
    return to && to !== from ? [{ from, to, line: text.slice(0, index).split('\n').length }] : [];
  });
}

function roomOf(file) {
  const rooms = Object.keys(MAY_IMPORT).filter((room) => isInside(file, room));
  return rooms.sort((a, b) => b.length - a.length)[0];
}

function isInside(file, room) {
  return file.startsWith(`${room}/`);
}

function isAllowed({ from, to }) {
  if (DOORS.some((door) => door.from.test(from) && door.to.test(to))) return true;
  const room = roomOf(from);
  return room !== undefined && [room, ...MAY_IMPORT[room]].some((allowed) => isInside(to, allowed));
}

function wrongDirection({ from, to, line }) {
  const room = roomOf(from);
  if (room === undefined)
    return `${from}:${line}: is in no room; move it into one of ${Object.keys(MAY_IMPORT).join(', ')}`;
  return `${from}:${line}: imports ${to}; ${room} may import ${MAY_IMPORT[room].join(', ') || 'nothing of the other rooms'}`;
}

/** The thinnest joints come first: they are the ones to cut. */
function drawn(kind, { members, joints }) {
  return [`cycle between ${kind} ${members.join(', ')}:`, ...joints.map((joint) => `  ${counted(joint)}`)].join('\n');
}

function counted({ from, to, edges: [first, ...others] }) {
  const site = `${first.from}:${first.line} imports ${first.to}`;
  return others.length === 0 ? site : `${site}, and ${others.length} more from ${from} to ${to}`;
}
