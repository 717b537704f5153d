import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { trawlError } from '../testing/fetching.ts';
import { createEgressGuard } from './egress-guard.ts';

const guard = createEgressGuard([]);

/** Ways to write an address of this machine or its network. */
const DISGUISES: readonly (readonly [url: string, way: string])[] = [
  ['http://127.0.0.1/', 'a literal address'],
  ['https://127.0.0.1/', 'https'],
  ['http://127.0.0.1:8080/', 'a port'],
  ['http://2130706433/', 'a decimal number'],
  ['http://017700000001/', 'an octal number'],
  ['http://0x7f000001/', 'a hexadecimal number'],
  ['http://0177.0.0.1/', 'an octal part'],
  ['http://0x7f.0.0.0x1/', 'hexadecimal parts'],
  ['http://127.1/', 'two parts'],
  ['http://127.0.1/', 'three parts'],
  ['http://0/', 'a short zero'],
  ['http://127.0.0.1./', 'a trailing dot'],
  ['http://%31%32%37.0.0.1/', 'percent escapes'],
  ['http://①②⑦.⓪.⓪.①/', 'circled digits'],
  ['http://１２７.０.０.１/', 'fullwidth digits'],
  ['http://127。0。0。1/', 'ideographic full stops'],
  ['http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/', 'mathematical digits'],
  ['http://127.\u00ad0.0.1/', 'a soft hyphen'],
  ['http://example.com@127.0.0.1/', 'a user name that looks like a host'],
  ['http://example.com:80@127.0.0.1/', 'a user name and password that look like a host'],
  ['http://127.0.0.1\\@example.com/', 'a backslash before a false host'],
  ['http://127.0.0.1#@example.com/', 'a fragment before a false host'],
  ['http://127.0.0.1?@example.com/', 'a query before a false host'],
  ['http:\\\\127.0.0.1\\', 'backslashes for slashes'],
  ['http:///127.0.0.1/', 'too many slashes'],
  [' http://127.0.\n0.1/', 'white space'],
  ['http://[::1]/', 'IPv6 loopback'],
  ['http://[0:0:0:0:0:0:0:1]/', 'IPv6 loopback at length'],
  ['http://[::]/', 'IPv6 unspecified'],
  ['http://[::ffff:127.0.0.1]/', 'IPv4-mapped'],
  ['http://[::ffff:7f00:1]/', 'IPv4-mapped in hexadecimal'],
  ['http://[::127.0.0.1]/', 'IPv4-compatible'],
  ['http://[64:ff9b::127.0.0.1]/', 'NAT64'],
  ['http://[64:ff9b:1::10.0.0.1]/', 'local NAT64'],
  ['http://[2002:7f00:1::]/', '6to4'],
  ['http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/', 'Teredo'],
  ['http://[fe80::1]/', 'IPv6 link-local'],
  ['http://[fd00::1]/', 'IPv6 unique local'],
  ['http://[fec0::1]/', 'IPv6 site-local'],
  ['http://[ff02::1]/', 'IPv6 multicast'],
  ['http://10.0.0.1/', 'a private network'],
  ['http://192.168.1.1/', 'a home network'],
  ['http://169.254.169.254/latest/meta-data/', 'cloud metadata'],
  ['http://0xa9fea9fe/', 'cloud metadata in hexadecimal'],
  ['http://[fd00:ec2::254]/', 'cloud metadata over IPv6'],
  ['http://100.64.0.1/', 'carrier-grade NAT'],
  ['http://255.255.255.255/', 'broadcast'],
];

describe('the egress guard', () => {
  for (const [url, way] of DISGUISES) {
    test(`refuses ${JSON.stringify(url)}: ${way}`, () => {
      assert.throws(() => guard.checkUrl(new URL(url)), trawlError('SCRAPE_BLOCKED_TARGET', /TRAWL_ALLOW_NETWORKS/));
    });
  }

  for (const url of [
    'http://8.8.8.8/',
    'http://134744072/',
    'https://[2606:4700:4700::1111]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://example.com\\@127.0.0.1/',
    'http://example.com/@127.0.0.1',
    'http://127.0.0.1@example.com/',
    'http://127.0.0.1.example.com/',
    'https://example.com:8443/',
  ]) {
    test(`admits ${JSON.stringify(url)}`, () => assert.doesNotThrow(() => guard.checkUrl(new URL(url))));
  }

  for (const url of [
    'file:///etc/passwd',
    'ftp://example.com/',
    'gopher://example.com/',
    'data:text/html,x',
    'ws://example.com/',
    'javascript:alert(1)',
    'blob:http://example.com/x',
    'unix:/run/docker.sock',
  ]) {
    test(`refuses the scheme of ${url}`, () => {
      assert.throws(() => guard.checkUrl(new URL(url)), trawlError('SCRAPE_BLOCKED_TARGET', /Only http and https/));
    });
  }

  for (const port of [0, 22, 25, 110, 6667, 10080]) {
    test(`refuses port ${port}, which belongs to another protocol`, () => {
      assert.throws(
        () => guard.checkUrl(new URL(`http://example.com:${port}/`)),
        trawlError('SCRAPE_BLOCKED_TARGET', /Port \d+ belongs to a protocol other than/),
      );
    });
  }

  test('names the kind of the address, and how the operator can allow it', () => {
    assert.throws(
      () => guard.checkUrl(new URL('http://192.168.0.1/')),
      trawlError(
        'SCRAPE_BLOCKED_TARGET',
        /^192\.168\.0\.1 is a private address, which this service does not fetch\. The operator can allow its network with TRAWL_ALLOW_NETWORKS\.$/,
      ),
    );
  });

  test('admits addresses of the allowed networks in every form, and no others', () => {
    const open = createEgressGuard(['127.0.0.0/8', 'fd00::/8']);
    for (const url of ['http://127.0.0.1/', 'http://0x7f.1/', 'http://[::ffff:127.0.0.1]/', 'http://[fd12::1]/']) {
      assert.doesNotThrow(() => open.checkUrl(new URL(url)), url);
    }
    for (const url of ['http://10.0.0.1/', 'http://[::1]/', 'http://[64:ff9b::127.0.0.1]/']) {
      assert.throws(() => open.checkUrl(new URL(url)), trawlError('SCRAPE_BLOCKED_TARGET'), url);
    }
  });

  test('refuses ports of other protocols in allowed networks too', () => {
    const open = createEgressGuard(['127.0.0.0/8']);
    assert.throws(() => open.checkUrl(new URL('http://127.0.0.1:25/')), trawlError('SCRAPE_BLOCKED_TARGET'));
  });
});

describe('the lookup of the egress guard', () => {
  const names: Record<string, string[]> = {
    public: ['93.184.215.14', '2606:2800:21f:cb07::1'],
    mixed: ['10.0.0.1', '93.184.215.14', '::1'],
    private: ['10.0.0.1', 'fd00::1'],
    mapped: ['::ffff:10.0.0.1'],
    empty: [],
    'public.invalid': ['93.184.215.14'],
  };
  const { lookup, checkName } = createEgressGuard([], async (name) => {
    const addresses = names[name];
    if (addresses === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  });
  const lookupAll = (name: string) =>
    new Promise<string[]>((resolve, reject) => {
      lookup(name, { all: true }, (error, addresses) => {
        if (error !== null) reject(error);
        else resolve([addresses].flat().map((entry) => (typeof entry === 'string' ? entry : entry.address)));
      });
    });

  test('returns the addresses of a public name', async () => {
    assert.deepEqual(await lookupAll('public'), ['93.184.215.14', '2606:2800:21f:cb07::1']);
  });

  test('omits the private addresses of a name that has both', async () => {
    assert.deepEqual(await lookupAll('mixed'), ['93.184.215.14']);
  });

  test('returns the first public address to a caller that wants one', async () => {
    const lookupOne = promisify<string, object, string | LookupAddress[]>(lookup);
    assert.equal(await lookupOne('mixed', {}), '93.184.215.14');
  });

  for (const name of ['private', 'mapped']) {
    test(`refuses a name with only ${name} addresses, without revealing them`, async () => {
      await assert.rejects(lookupAll(name), (error) => {
        assert.ok(error instanceof Error && !error.message.includes('10.0.0.1'), String(error));
        return trawlError('SCRAPE_BLOCKED_TARGET', /resolves to a private address/)(error);
      });
    });
  }

  test('reports a name that does not exist or has no address', async () => {
    await assert.rejects(lookupAll('missing'), trawlError('SCRAPE_DNS_RESOLUTION_ERROR', /missing does not exist/));
    await assert.rejects(lookupAll('empty'), trawlError('SCRAPE_DNS_RESOLUTION_ERROR', /empty does not exist/));
    // The test resolver knows this name, but must not be asked.
    await assert.rejects(lookupAll('public.invalid'), trawlError('SCRAPE_DNS_RESOLUTION_ERROR', /does not exist/));
  });

  test('refuses "localhost", which the real resolver knows', async () => {
    const { lookup: realLookup } = createEgressGuard([]);
    await assert.rejects(
      promisify<string, object, unknown>(realLookup)('localhost', { all: true }),
      trawlError('SCRAPE_BLOCKED_TARGET', /localhost resolves to a loopback address/),
    );
  });

  test('refuses a name for a proxy when any of its addresses is private', async () => {
    await assert.doesNotReject(checkName('public', 443));
    await assert.rejects(
      checkName('mixed', 443),
      trawlError('SCRAPE_BLOCKED_TARGET', /mixed resolves to a private address/),
    );
  });

  test('lets the proxy resolve a name that does not resolve here', async () => {
    await assert.doesNotReject(checkName('missing.example', 443));
  });

  for (const name of [
    'redis',
    'redis.',
    'x.localhost',
    'metadata.google.internal',
    'printer.local',
    'nas.home.arpa.',
  ]) {
    test(`refuses ${name} for a proxy, if it does not resolve here`, async () => {
      await assert.rejects(checkName(name, 443), trawlError('SCRAPE_BLOCKED_TARGET', /is a private name/));
    });
  }
});
