import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrawlError } from '../errors.ts';
import { checkThreatPolicy, type ThreatPolicy } from './threat-protection.ts';

function check(url: string, policy: ThreatPolicy | undefined): string | undefined {
  return checkThreatPolicy(new URL(url), policy);
}

function failure(url: string, policy: ThreatPolicy): TrawlError {
  try {
    check(url, policy);
  } catch (error) {
    assert.ok(error instanceof TrawlError);
    return error;
  }
  assert.fail(`${url} was admitted`);
}

const refusals: [what: string, url: string, policy: ThreatPolicy, entry: string][] = [
  ['a host on the blacklist', 'https://bad.example/x', { blacklist: ['bad.example'] }, 'bad.example'],
  ['its subdomains', 'https://a.b.bad.example/', { blacklist: ['bad.example'] }, 'bad.example'],
  ['a host in another case', 'https://BAD.example/', { blacklist: ['Bad.Example'] }, 'Bad.Example'],
  ['a trailing dot in the address', 'https://bad.example./', { blacklist: ['bad.example'] }, 'bad.example'],
  ['several trailing dots', 'https://bad.example../', { blacklist: ['bad.example'] }, 'bad.example'],
  ['a trailing dot in the entry', 'https://bad.example/', { blacklist: ['bad.example.'] }, 'bad.example.'],
  ['spaces around the entry', 'https://bad.example/', { blacklist: [' bad.example '] }, ' bad.example '],
  ['any port', 'https://bad.example:8443/', { blacklist: ['bad.example'] }, 'bad.example'],
  ['a subdomain by pattern', 'https://x.bad.example/', { blacklist: ['*.bad.example'] }, '*.bad.example'],
  ['a pattern in the middle', 'https://ads1.cdn.example/', { blacklist: ['ads*.cdn.example'] }, 'ads*.cdn.example'],
  ['everything under a star', 'https://anything.example/', { blacklist: ['*'] }, '*'],
  [
    'an IDN host by its Punycode',
    'https://bücher.example/',
    { blacklist: ['xn--bcher-kva.example'] },
    'xn--bcher-kva.example',
  ],
  ['a Punycode host by its IDN', 'https://xn--bcher-kva.example/', { blacklist: ['BÜCHER.example'] }, 'BÜCHER.example'],
  ['ideographic full stops', 'https://bad。example/', { blacklist: ['bad.example'] }, 'bad.example'],
  ['an IPv4 address written as one number', 'http://3232235777/', { blacklist: ['192.168.1.1'] }, '192.168.1.1'],
  ['an IPv4 entry in hexadecimal', 'http://192.168.1.1/', { blacklist: ['0xC0.0xA8.1.1'] }, '0xC0.0xA8.1.1'],
  ['an IPv6 address', 'http://[2001:db8:0:0::1]/', { blacklist: ['2001:DB8::1'] }, '2001:DB8::1'],
  ['an IPv6 address in brackets', 'http://[2001:db8::1]/', { blacklist: ['[2001:db8::1]'] }, '[2001:db8::1]'],
  [
    'userinfo that looks like a host',
    'https://good.example@bad.example/',
    { blacklist: ['bad.example'] },
    'bad.example',
  ],
  ['a blocked top-level domain', 'https://files.zip/', { blockedTlds: ['zip'] }, 'zip'],
  ['one with a dot and capitals', 'https://files.zip./', { blockedTlds: ['.ZIP'] }, '.ZIP'],
  ['one of two labels', 'https://shop.co.uk/', { blockedTlds: ['co.uk'] }, 'co.uk'],
  ['the bare suffix itself', 'https://co.uk/', { blockedTlds: ['co.uk'] }, 'co.uk'],
  ['one in another script', 'https://пример.рф/', { blockedTlds: ['рф'] }, 'рф'],
  ['lists also in mode normal', 'https://bad.example/', { mode: 'normal', blacklist: ['bad.example'] }, 'bad.example'],
];
for (const [what, url, policy, entry] of refusals) {
  test(`refuses ${what} and names the rule`, () => {
    const error = failure(url, policy);
    assert.equal(error.code, 'FORBIDDEN');
    assert.ok(error.message.includes(`"${entry}"`), error.message);
    assert.match(error.message, policy.blockedTlds ? /blockedTlds/ : /blacklist/);
  });
}

const passes: [what: string, url: string, policy: ThreatPolicy | undefined][] = [
  ['everything without a policy', 'https://bad.example/', undefined],
  ['everything with mode off', 'https://bad.example/', { mode: 'off', blacklist: ['bad.example'] }],
  ['a host that only ends like a blacklisted one', 'https://notbad.example/', { blacklist: ['bad.example'] }],
  ['a host that only begins like one', 'https://bad.example.org/', { blacklist: ['bad.example'] }],
  ['the host itself when the pattern names its subdomains', 'https://bad.example/', { blacklist: ['*.bad.example'] }],
  [
    'a blacklisted name in path and query',
    'https://ok.example/bad.example?u=bad.example',
    { blacklist: ['bad.example'] },
  ],
  ['a host that ends like a blocked top-level domain', 'https://gzip.example/', { blockedTlds: ['zip'] }],
  ['a label that only ends like one', 'https://shop.disco.uk/', { blockedTlds: ['co.uk'] }],
  ['an IP address, which has none', 'http://192.0.2.7/', { blockedTlds: ['zip'] }],
  [
    'a whitelisted host on the blacklist',
    'https://ok.bad.example/',
    { blacklist: ['bad.example'], whitelist: ['ok.bad.example'] },
  ],
  ['a whitelisted host under a blocked domain', 'https://ok.zip/', { blockedTlds: ['zip'], whitelist: ['ok.zip'] }],
  ['a whitelisted pattern', 'https://a.b.zip/', { blockedTlds: ['zip'], whitelist: ['*.b.zip'] }],
  ['a whitelisted host without a score', 'https://ok.example/', { mode: 'normal', whitelist: ['ok.example'] }],
];
for (const [what, url, policy] of passes) {
  test(`admits ${what}`, () => assert.equal(check(url, policy), undefined));
}

test('does not extend a whitelisted name to its subdomains', () => {
  const policy: ThreatPolicy = { blacklist: ['pages.example'], whitelist: ['pages.example'] };
  assert.equal(check('https://pages.example/', policy), undefined);
  assert.equal(failure('https://someone.pages.example/', policy).code, 'FORBIDDEN');
});

for (const mode of ['normal', 'zscaler'] as const) {
  test(`refuses mode ${mode}, which needs a risk service, unless it may continue without one`, () => {
    for (const policy of [{ mode }, { mode, failurePolicy: 'closed' }] satisfies ThreatPolicy[]) {
      const error = failure('https://ok.example/', policy);
      assert.equal(error.code, 'NOT_AVAILABLE');
      assert.match(error.message, /manual-only/);
    }
    assert.match(check('https://ok.example/', { mode, failurePolicy: 'open' }) ?? '', /applied in part/);
  });
}

const badEntries: [list: 'blacklist' | 'whitelist' | 'blockedTlds', entry: string][] = [
  ['blacklist', 'https://bad.example'],
  ['blacklist', 'bad.example/private'],
  ['blacklist', 'bad.example:8080'],
  ['blacklist', 'bad example'],
  ['blacklist', 'someone@bad.example'],
  ['whitelist', ''],
  ['whitelist', '.'],
  ['blockedTlds', '*.zip'],
  ['blockedTlds', '.'],
  ['blockedTlds', '127.0.0.1'],
];
for (const [list, entry] of badEntries) {
  test(`refuses the entry ${JSON.stringify(entry)} on ${list} at the first address, whatever the address`, () => {
    const error = failure('https://ok.example/', { whitelist: ['ok.example'], [list]: [entry] });
    assert.equal(error.code, 'BAD_REQUEST');
    assert.match(error.message, new RegExp(list));
  });
}

test('matches a pattern with many stars in bounded time', () => {
  const host = `${'a'.repeat(63)}.`.repeat(3);
  const started = performance.now();
  assert.equal(check(`https://${host}example/`, { blacklist: [`${'*a'.repeat(100)}b`] }), undefined);
  assert.ok(performance.now() - started < 1000);
});
