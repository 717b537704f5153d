/** A deeper value would be mostly white space. */
const MAX_DEPTH = 64;
/** Larger documents are for programs; indenting them would only cost memory. */
const MAX_LENGTH = 5_000_000;
const MAX_PRETTY_LENGTH = 4 * MAX_LENGTH;

/**
 * Valid JSON (RFC 8259) indented by two spaces, or undefined when it is too large or too deep for that. Only white
 * space changes. Numbers, escapes, key order and repeated keys stay as written, which parsing and serializing would not
 * preserve.
 */
export function prettyJson(json: string): string | undefined {
  if (json.length > MAX_LENGTH) return undefined;
  let pretty = '';
  let depth = 0;
  let previous = '';
  for (const token of tokens(json)) {
    const closes = token === '}' || token === ']';
    if (closes) depth--;
    if (depth > MAX_DEPTH || pretty.length > MAX_PRETTY_LENGTH) return undefined;
    const isEmpty = closes && (previous === '{' || previous === '[');
    if (!isEmpty && (closes || previous === '{' || previous === '[' || previous === ','))
      pretty += `\n${'  '.repeat(depth)}`;
    pretty += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth++;
    previous = token;
  }
  return pretty;
}

function* tokens(json: string): Generator<string> {
  const token = /[{}[\],:]|[^\s{}[\],:"]+|"/g;
  for (let match = token.exec(json); match; match = token.exec(json)) {
    if (match[0] === '"') token.lastIndex = endOfString(json, match.index);
    yield json.slice(match.index, token.lastIndex);
  }
}

/**
 * The position after the quote that closes the string at `start`, which is one with an even number of backslashes
 * before it.
 */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json.charAt(quote - 1 - backslashes) === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
}
