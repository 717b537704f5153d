import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addLimitedTeam } from './support/limited-team.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { type Settings, startTrawl, type Trawl } from './support/trawl.ts';

const site = await shared(startSite());
const url = site.page('/', html('<h1>From here only</h1>'));

/** Calls with these headers for a team with this allow list. */
async function statusOf(trawl: Trawl, allowList: string[], headers: Record<string, string> = {}): Promise<number> {
  const { key } = await addLimitedTeam({ dataDir: trawl.dataDir }, { allowList });
  // The body is never read: refusals come first.
  const refused = await trawl.post('/v2/scrape', '{"url": ', { key, headers });
  if (refused.status !== 403) {
    assert.equal(refused.status, 400);
    return (await trawl.post('/v2/scrape', { url }, { key, headers })).status;
  }
  assert.equal(refused.body.code, 'FORBIDDEN');
  assert.match(refused.body.error, /accepts calls only from certain networks/);
  return refused.status;
}

function cases(
  settings: Settings,
  table: [name: string, allowList: string[], forwarded: string | null, status: number][],
) {
  const trawl = startTrawl(settings);
  for (const [name, allowList, forwarded, status] of table) {
    test(name, async () => {
      const headers: Record<string, string> = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
      assert.equal(await statusOf(await trawl, allowList, headers), status);
    });
  }
  return shared(trawl);
}

describe('a team with an allow list accepts calls only from those networks', async () => {
  await cases({}, [
    ['from an address in one of them', ['10.0.0.0/8', '127.0.0.0/8'], null, 200],
    ['from the address itself', ['127.0.0.1'], null, 200],
    ['not from another', ['10.0.0.0/8', 'fd00::/8'], null, 403],
    ['not at all when there are none', [], null, 403],
    ['whatever the client says of itself', ['10.0.0.0/8'], '10.1.2.3', 403],
    ['and what it says does no harm', ['127.0.0.0/8'], 'nonsense', 200],
  ]);
});

describe('behind a trusted proxy, the client address is what counts', async () => {
  await cases({ TRAWL_TRUSTED_PROXIES: '127.0.0.0/8,192.0.2.0/24,2001:db8:7::/48' }, [
    ['as the proxy names it', ['203.0.113.0/24'], '203.0.113.7', 200],
    ['and not the proxy', ['127.0.0.0/8'], '203.0.113.7', 403],
    ['through two proxies', ['203.0.113.0/24'], '203.0.113.7, 192.0.2.1', 200],
    ['through proxies on IPv6', ['2001:db8:1::/48'], '2001:db8:1::5, 2001:db8:7::1', 200],
    ['and not what it claims to be itself', ['203.0.113.0/24'], '203.0.113.7, 198.51.100.9', 403],
    ['also an IPv4 address inside of IPv6', ['203.0.113.0/24'], '::ffff:203.0.113.7', 200],
    ['also on a list of such addresses', ['::ffff:203.0.113.0/120'], '::ffff:203.0.113.7', 200],
    ['and a proxy inside of IPv6 is known too', ['203.0.113.0/24'], '203.0.113.7, ::ffff:192.0.2.1', 200],
    ['and what is no address is refused', ['0.0.0.0/0', '::/0'], 'unknown', 403],
    ['also behind another proxy', ['0.0.0.0/0', '::/0'], '203.0.113.7, _hidden, 192.0.2.1', 403],
    ['an address in another notation is none', ['0.0.0.0/0', '::/0'], '0xcb.0.113.7', 403],
    ['when it is the proxy itself that calls', ['127.0.0.0/8'], null, 200],
  ]);
});

test('an IPv4 client of a service that listens on IPv6 is identified by its IPv4 address', async () => {
  await using trawl = await startTrawl({ HOST: '::', TRAWL_BASE_URL: 'http://127.0.0.1' });
  const { port } = new URL(trawl.address);
  const { key } = await addLimitedTeam({ dataDir: trawl.dataDir }, { allowList: ['127.0.0.0/8'] });
  for (const [host, status] of [
    ['127.0.0.1', 200],
    ['[::1]', 403],
  ] as const) {
    const answer = await fetch(`http://${host}:${port}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });
    assert.equal(answer.status, status, host);
    await answer.body?.cancel();
  }
});

test('an invalid trusted proxy stops the start with an error that names the setting', async () => {
  await assert.rejects(startTrawl({ TRAWL_TRUSTED_PROXIES: '10.0.0.0/8,proxy.example' }), {
    name: 'ConfigError',
    message: /TRAWL_TRUSTED_PROXIES: "proxy.example" is not a network/,
  });
});
