/**
 * `sh scripts/run.sh scripts/lint/layers.ts [FOLDER]`: checks the imports between the rooms of src/. The table below is
 * the architecture, which ARCHITECTURE.md explains.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

interface Row {
  rooms: readonly string[];
  /** The rooms of this row do not import each other. */
  apart?: true;
}

/**
 * From the top down. A room imports from its own row and from the rows below, and no two rooms import each other, not
 * even through a third. The files of src/ itself are the base: every room may import them, and they import no room.
 */
export const ROWS: readonly Row[] = [
  { rooms: ['cli', 'mcp', 'server'], apart: true },
  { rooms: ['contract', 'service'] },
  { rooms: ['agent', 'batch', 'crawl', 'extract', 'interact', 'map', 'monitor', 'parse', 'scrape', 'search'] },
  { rooms: ['jobs', 'pages', 'site', 'webhook'] },
  { rooms: ['team'] },
  { rooms: ['browser', 'documents', 'llm', 's3'], apart: true },
  { rooms: ['content', 'fetch', 'store'], apart: true },
];

/** `trawl serve` opens the HTTP door. */
const EXCEPTIONS = new Set(['src/cli/serve.ts server']);

const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/;

interface Import {
  file: string;
  line: number;
  /** Empty for a file of the base. */
  from: string;
  to: string;
}

/** Imports below a folder that break the rules, as `file:line: reason`. */
export function breaches(folder: string): string[] {
  const imports = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => importsOf(folder, `src/${file}`));
  const wrong = imports.flatMap((each) => {
    const reason = reasonAgainst(each);
    return reason === null ? [] : [`${each.file}:${each.line}: ${reason}`];
  });
  return [...wrong, ...circles(imports)];
}

/** The imports of other rooms. */
function importsOf(folder: string, file: string): Import[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return lines.flatMap((text, index) => {
    const target = IMPORT.exec(text)?.[1];
    if (target === undefined) return [];
    const to = roomOf(normalize(join(dirname(file), target)));
    const from = roomOf(file);
    return to === '' || to === from ? [] : [{ file, line: index + 1, from, to }];
  });
}

/** `fetch` for src/fetch/body/charset.ts; empty for src/clock.ts and for files outside src/. */
function roomOf(path: string): string {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
}

function reasonAgainst({ file, from, to }: Import): string | null {
  if (from === '') return `the base imports nothing from the rooms above it, such as ${to}/`;
  const above = rowOf(from);
  const below = rowOf(to);
  const unknown = above < 0 ? from : below < 0 ? to : null;
  if (unknown !== null) return `${unknown}/ is not in the table of scripts/lint/layers.ts`;
  if (below < above) return `${from}/ is below ${to}/: imports go downwards`;
  if (below === above && ROWS[above]?.apart && !EXCEPTIONS.has(`${file} ${to}`))
    return `${from}/ knows nothing of ${to}/`;
  return null;
}

function rowOf(room: string): number {
  return ROWS.findIndex(({ rooms }) => rooms.includes(room));
}

/** Import cycles between rooms of one row, each once, with the import that closes it. */
function circles(imports: readonly Import[]): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (room: string, path: readonly Import[]): void => {
    const start = path.findIndex(({ from }) => from === room);
    if (start >= 0) {
      const last = path.at(-1);
      const rooms = path.slice(start).map(({ from }) => `${from}/`);
      found.push(`${last?.file}:${last?.line}: a circle of rooms: ${[...rooms, `${room}/`].join(' → ')}`);
      return;
    }
    if (done.has(room)) return;
    const next = new Map(imports.filter(({ from }) => from === room).map((each) => [each.to, each]));
    for (const each of next.values()) if (!EXCEPTIONS.has(`${each.file} ${each.to}`)) visit(each.to, [...path, each]);
    done.add(room);
  };
  for (const room of new Set(imports.map(({ from }) => from))) if (room !== '') visit(room, []);
  return found;
}

if (import.meta.main) {
  const wrong = breaches(process.argv[2] ?? join(import.meta.dirname, '..', '..'));
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
