import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { argv, exit } from 'node:process';

/** Folders at the root: what starts with one of them is a path of this repository. */
const TOP = /^(\.ci|bench|bin|cli|docs|examples|infra|lab|lambdas|scripts|shared|test)(\/|$)/;
const NOT_OURS = new Set(['.git', 'cdk.out', 'coverage', 'dist', 'node_modules', 'reports']);
/** It also names what no longer exists. */
const HISTORY = 'CHANGELOG.md';

/** The parts of a file in which a path is a claim; elsewhere it is code, which the compiler or a test checks. */
const CLAIMS = [
  { in: /\.md$/, match: /`[^`\n]+`|^(```|~~~)[\s\S]*?^\1|^ {4,}.*$/gm },
  { in: /(^|\/)(package\.json|[\w.]*jest\.config\.js|run)$/, match: /^.*$/gm },
  { in: /\.[cm]?[jt]s$/, match: /(['"`])(?:\\.|(?!\1)[^\\\n])*\1|\/\*[\s\S]*?\*\/|\/\/.*$/gm, skip: /^['"`]/ },
  { in: /\.(ya?ml|py|sh|go)$/, match: /(?<=^|\s)(#|\/\/).*$/gm },
];
const URL = /\b[a-z][a-z+]*:\/\/[^\s)>"'`]+/g;
const PATH = /(?<![\w@./$~<>*{}-])(?:\.{1,2}\/)*(?:[\w.-]+\/)+(?:[\w./-]|\{[\w,./-]+\}|\*)*/g;
const SOURCE = /\.(ts|mts|mjs)$/;
const SOURCE_NAME = /(?<![\w@./$~<>*{}-])[\w-]+(?:\.[\w-]+)*\.(?:ts|mts|mjs)(?![\w/-]|\.\w)/g;

const root = argv[2] ?? '.';
const files = filesUnder('.');
const known = new Set(files.flatMap(withFolders));
/** Every ending of a known path: pages name files from the folder that they are about. */
const endings = new Set([...known].flatMap(endingsOf));

const claims = files.filter((file) => file !== HISTORY).flatMap(claimsOf);
const problems = claims.filter((claim) => !exists(claim));
for (const { file, line, path } of problems) console.error(`${file}:${line}: ${path} does not exist`);
if (problems.length > 0) exit(1);
console.log(`${claims.length} paths named in docs, comments and scripts exist`);

function filesUnder(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

function withFolders(file) {
  const parts = file.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function endingsOf(path) {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

function claimsOf(file) {
  const kind = CLAIMS.find((one) => one.in.test(file));
  if (kind === undefined) return [];
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(kind.match)].flatMap(({ 0: part, index }) => {
    if (kind.skip?.test(part)) return [];
    const named = part.replace(URL, (url) => ' '.repeat(url.length)).replace(/<rootDir>\//g, '         ');
    return [...named.matchAll(PATH), ...named.matchAll(SOURCE_NAME)].flatMap((found) => {
      const line = text.slice(0, index + found.index).split('\n').length;
      return spelledOut(found[0])
        .filter((path) => isClaim(path, file))
        .map((path) => ({ file, line, path }));
    });
  });
}

/** `a/{b,c}` as `a/b` and `a/c`; of a path with a wildcard, the folder before it. */
function spelledOut(path) {
  const [, before, inside, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  if (inside !== undefined) return inside.split(',').flatMap((one) => spelledOut(before + one + after));
  const fixed = path.includes('*') ? path.slice(0, Math.max(0, path.lastIndexOf('/', path.indexOf('*')))) : path;
  return fixed === '' ? [] : [fixed.replace(/[.-]+$/, '')];
}

/** Not every word with a slash is a path: from the root, a source file, or in a page `folder/`. */
function isClaim(path, file) {
  if (path.split('/').some((part) => NOT_OURS.has(part))) return false;
  return TOP.test(path) || SOURCE.test(path) || (file.endsWith('.md') && /^[\w-]+\/$/.test(path));
}

function exists({ file, path: named }) {
  const path = named.replace(/\/$/, '');
  if (known.has(path) || known.has(posix.join(posix.dirname(file), path))) return true;
  return !TOP.test(path) && !path.startsWith('.') && endings.has(path);
}
