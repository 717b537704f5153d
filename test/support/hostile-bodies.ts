/** A body designed to be expensive, as text, because `JSON.stringify` cannot write values nested this deep. */
export interface HostileBody {
  name: string;
  text: string;
}

interface Target {
  /** A body that would be accepted. */
  valid: object;
  /** Names of fields that the operation accepts. */
  fields: readonly string[];
  /** Each field gets one of this many hostile values, and each operation different ones. */
  oneIn: number;
  turn: number;
}

/** Bodies of about `size` bytes with hostile values in each field and next to them. */
export function* hostileBodies({ valid, fields, oneIn, turn }: Target, size: number): Generator<HostileBody> {
  const fieldsOfValid = JSON.stringify(valid).slice(1, -1);
  for (const [kindIndex, [kind, value]] of Object.entries(hostileValues(size)).entries()) {
    for (const [fieldIndex, field] of fields.entries()) {
      if ((kindIndex + fieldIndex + turn) % oneIn !== 0) continue;
      // When a field is repeated, the last one counts.
      yield { name: `${kind} in ${field}`, text: `{${fieldsOfValid},"${field}":${value}}` };
    }
  }
  const names = pieces(size, (n) => `"field ${n}":${n}`);
  yield { name: 'many unknown fields', text: `{${fieldsOfValid},${names}}` };
  yield { name: 'an unknown field with a long name', text: `{${fieldsOfValid},"${'x'.repeat(size)}":1}` };
  yield { name: 'a deep list alone', text: deep(size, '[', ']') };
  yield { name: 'a list of objects alone', text: `[${pieces(size, () => '{}')}]` };
  yield { name: 'beginnings alone', text: '[{"a":'.repeat(size / 6) };
  yield { name: 'ends alone', text: ']'.repeat(size) };
  yield { name: 'one string without an end', text: `"${'\\"'.repeat(size / 2)}` };
}

function hostileValues(size: number): Record<string, string> {
  return {
    'a deep list': deep(size, '[', ']'),
    'deep objects': deep(size, '{"a":', '}', '1'),
    'many bad names': `{${pieces(size, (n) => `"bad name ${n}":"x"`)}}`,
    'many bad values': `{${pieces(size, (n) => `"name-${n}":${n}`)}}`,
    'a long name': `{"${'x'.repeat(size)}":{"url":1}}`,
    'a long text': `"${'x'.repeat(size)}"`,
    'a list of numbers': `[${pieces(size, String)}]`,
    'a list of bad texts': `[${pieces(size, () => '"a["')}]`,
    'a list of long texts': `[${`"${'a '.repeat(10_000)}",`.repeat(Math.max(1, size / 20_000 - 1))}""]`,
    'a list of bad objects': `[${pieces(size, (n) => `{"type":"attributes","x${n}":1}`)}]`,
    'selectors in each other': `[${pieces(size, () => `"${':not('.repeat(150)}a${')'.repeat(150)}"`)}]`,
    'patterns of Unicode classes': `[${pieces(size, () => `"(?i)${'\\\\pL'.repeat(250)}"`)}]`,
  };
}

function deep(size: number, open: string, close: string, inmost = ''): string {
  const levels = Math.floor((size - inmost.length) / (open.length + close.length));
  return open.repeat(levels) + inmost + close.repeat(levels);
}

/** As many comma-separated pieces as fit. */
function pieces(size: number, piece: (n: number) => string): string {
  const list: string[] = [];
  let length = 0;
  for (let n = 0; ; n++) {
    const next = piece(n);
    length += next.length + 1;
    if (length > size && n > 0) return list.join(',');
    list.push(next);
  }
}
