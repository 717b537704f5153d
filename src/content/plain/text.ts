import { fenced } from './fence.ts';

/** File extensions of code, each with the language name that highlighters know. */
const CODE = new Map(
  Object.entries({
    bash: 'sh bash zsh',
    c: 'c h',
    cpp: 'cc cpp hpp',
    csharp: 'cs',
    css: 'css',
    diff: 'diff patch',
    go: 'go',
    html: 'htm html',
    ini: 'cfg conf ini properties',
    java: 'java',
    javascript: 'cjs js jsx mjs',
    kotlin: 'kt',
    lua: 'lua',
    php: 'php',
    powershell: 'ps1',
    python: 'py',
    r: 'r',
    ruby: 'rb',
    rust: 'rs',
    scala: 'scala',
    scss: 'scss',
    sql: 'sql',
    swift: 'swift',
    text: 'log',
    toml: 'toml',
    typescript: 'mts ts tsx',
    yaml: 'yaml yml',
  }).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language] as const)),
);

/**
 * Plain text is kept line by line. Much text/plain is Markdown (README and llms.txt files), and readers treat it as
 * text either way. Code and logs, recognised by file extension, go into a fenced block, because there `#`, `*` and
 * indentation mean something else.
 */
export function textMarkdown(text: string, extension: string): string {
  const language = CODE.get(extension);
  return language === undefined ? text.trimEnd() : fenced(text, language);
}
