/** The front matter of a Markdown file, between two lines of `---`: YAML, one name and value a line. */
export function frontMatter(fields: Readonly<Record<string, string | number | undefined>>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${typeof value === 'string' ? quoted(value) : value}`],
  );
  return `---\n${lines.join('\n')}\n---\n`;
}

/**
 * A JSON string is a YAML string in double quotes (YAML 1.2.2, 7.3.1), except for characters that YAML considers not
 * printable or a line end and that JSON leaves as they are.
 */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
