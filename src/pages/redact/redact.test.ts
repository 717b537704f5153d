import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RedactOptions, redact } from './redact.ts';

const ALL: RedactOptions = { entities: ['EMAIL', 'PHONE', 'FINANCIAL', 'SECRET'], replaceStyle: 'tag' };
const tagged = (markdown: string, options: Partial<RedactOptions> = {}) =>
  redact(markdown, { ...ALL, ...options }).text;

const page = `# Contact

Write to [jane@example.com](mailto:jane@example.com) or call [+49 30 901820](tel:+4930901820).

| Account | DE89 3704 0044 0532 0130 00 |
|---|---|
| Card | 4111 1111 1111 1111 |

\`\`\`sh
curl https://app:s3cret1@api.example/v1
\`\`\`
`;

test('replaces every kind in text, links, tables and code, and keeps the Markdown intact', () => {
  const { text, found } = redact(page, ALL);
  assert.equal(
    text,
    `# Contact

Write to [<EMAIL>](mailto:<EMAIL>) or call [<PHONE>](tel:<PHONE>).

| Account | <FINANCIAL> |
|---|---|
| Card | <FINANCIAL> |

\`\`\`sh
curl https://<SECRET>@api.example/v1
\`\`\`
`,
  );
  assert.equal(found, 7);
});

test('masks with as many stars as there were characters', () => {
  const { text } = redact(page, { ...ALL, replaceStyle: 'mask' });
  assert.equal(text.length, page.length);
  assert.match(text, /\[\*{16}\]\(mailto:\*{16}\)/);
});

test('keeps the line breaks of a masked key', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----';
  assert.equal(tagged(key, { replaceStyle: 'mask' }), key.replace(/./g, '*'));
});

test('removes the characters entirely', () => {
  assert.equal(
    tagged('To jane@example.com: [x](mailto:jane@example.com)', { replaceStyle: 'remove' }),
    'To : [x](mailto:)',
  );
});

for (const entity of ALL.entities) {
  test(`redacts only ${entity} when only that is requested`, () => {
    const text = tagged(page, { entities: [entity] });
    assert.deepEqual([...new Set(text.match(/<[A-Z]+>/g))], [`<${entity}>`]);
  });
}

test('returns a page with nothing to redact unchanged', () => {
  const markdown = '# Ferry\n\nLeaves at 10:30 on 2024-11-20, costs $1,234.50, version 1.2.3.\n';
  assert.deepEqual(redact(markdown, ALL), { text: markdown, found: 0 });
  assert.deepEqual(redact('', ALL), { text: '', found: 0 });
  assert.deepEqual(redact(page, { ...ALL, entities: [] }), { text: page, found: 0 });
});

test('expects the national numbers of the country it is given, and of the United States without one', () => {
  const text = '(202) 555-0143 or 030/901820';
  assert.equal(redact(text, ALL).text, '<PHONE> or 030/901820');
  assert.equal(redact(text, ALL, 'DE').text, '(202) 555-0143 or <PHONE>');
});

test('counts findings that overlap as one, of the kind of the longest', () => {
  // The password is an e-mail address, and the address is a part of the secret.
  assert.deepEqual(redact('password=jane1@example.com,x', ALL), { text: 'password=<SECRET>,x', found: 1 });
  assert.deepEqual(redact('IBAN DE89 3704 0044 0532 0130 00', { ...ALL }), { text: 'IBAN <FINANCIAL>', found: 1 });
});

test('removes a Markdown escape with the character it escapes', () => {
  assert.equal(tagged('\\+49 30 901820 and \\\\+49 30 901820'), '<PHONE> and \\\\<PHONE>');
  assert.equal(tagged('\\+49 30 901820\n', { replaceStyle: 'remove' }), '\n');
});

test('replaces more findings than are joined at a time', () => {
  const { text, found } = redact('a@b.example '.repeat(20_000), ALL);
  assert.equal(found, 20_000);
  assert.equal(text, '<EMAIL> '.repeat(20_000));
});

const hostile: [what: string, unit: string][] = [
  ['digits', '1'],
  ['digits apart', '1 '],
  ['dotted digits', '12.34.'],
  ['rows of figures', '12 345 '],
  ['signs', '@'],
  ['dotted letters', 'a.'],
  ['half addresses', 'a@'],
  ['half addresses with long domains', 'x@a.a.a.a.a.a.a.a.a.a.a.a.a.a.'],
  ['percent-encoded signs', '%40'],
  ['bracketed signs', ' [at]'],
  ['brackets', '('],
  ['backslashes', '\\'],
  ['pluses', '+'],
  ['spaces', ' '],
  ['letters', 'a'],
  ['beginnings of keys', '-----BEGIN PRIVATE KEY-----'],
  ['beginnings of tokens', 'eyJabcdefghijkl.'],
  ['tokens without an end', 'eyJ'],
  ['account numbers that fail', 'DE89 3704 0044 0532 0130 01 '],
  ['schemes', '://'],
  ['userinfo without a host', 'u:p@'],
  ['assignments', 'password='],
  ['telephone numbers', '+12025550143 '],
];
for (const [what, unit] of hostile) {
  test(`does not stall on ${what}`, () => {
    // A quadratic step would take hours for a megabyte and more than a minute for this. Measured: 2 to 350 ms.
    const text = unit.repeat(Math.ceil(300_000 / unit.length));
    const started = performance.now();
    redact(text, ALL);
    assert.ok(performance.now() - started < 10_000);
  });
}
