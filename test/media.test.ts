import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finishedBatch, startBatch } from './support/batch.ts';
import { shared } from './support/shared.ts';
import { html, type Reply, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const other = await shared(startSite());
const trawl = await shared(startTrawl({ TRAWL_MAX_PAGE_MB: '1' }));

/** The first box of an MP4 file, and the beginning of an MP3 file. */
const FILM = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), Buffer.alloc(5_000, 7)]);
const SONG = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), Buffer.alloc(3_000, 9)]);
const film = (type = 'video/mp4'): Reply => ({ headers: { 'content-type': type }, body: FILM });
const song: Reply = { headers: { 'content-type': 'audio/mpeg' }, body: SONG };

site.page('/film.mp4', film());
site.page('/song.mp3', song);
site.page('/watch', film());
const elsewhere = other.page('/film.mp4', film());

let pages = 0;
function pageWith(body: string, head = ''): string {
  return site.page(`/page/${pages++}`, html(`<h1>Here</h1>${body}`, `<title>Media</title>${head}`));
}

async function media(url: string, format: 'audio' | 'video', options: object = {}) {
  const document = await trawl.scrape(url, { formats: [format], ...options });
  const address = document[format];
  const answer = typeof address === 'string' ? await fetch(address) : undefined;
  const bytes = answer && Buffer.from(await answer.arrayBuffer());
  return { address, bytes, type: answer?.headers.get('content-type'), warning: document.warning, document };
}

/** How often the browser was used: it alone sends these. */
function browserRequests(): number {
  return site.requests.filter(
    ({ headers }) => headers['sec-fetch-dest'] === 'document' && 'upgrade-insecure-requests' in headers,
  ).length;
}

describe('the main recording that the HTML names is downloaded, and kept at an address of this service', () => {
  const CASES: readonly (readonly [name: string, format: 'audio' | 'video', body: string, head?: string])[] = [
    ['a player with an address', 'video', '<video src="/film.mp4" controls></video>'],
    [
      'a player with sources, of which one is a stream',
      'video',
      '<video><source src="/film.m3u8" type="application/vnd.apple.mpegurl"><source src="/film.mp4" type="video/mp4"></video>',
    ],
    ['a player whose address has no extension', 'video', '<video src="/watch"></video>'],
    [
      'Open Graph',
      'video',
      '',
      '<meta property="og:video" content="/embed/player"><meta property="og:video:secure_url" content="/film.mp4">',
    ],
    [
      'JSON-LD',
      'video',
      '',
      '<script type="application/ld+json">{"@type":"NewsArticle","video":{"@type":"VideoObject","contentUrl":"/watch"}}</script>',
    ],
    ['a link', 'video', '<a href="/film.mp4">Download the film</a>'],
    ['an audio player', 'audio', '<audio><source src="/song.mp3"></audio>'],
    [
      'an episode of a podcast',
      'audio',
      '',
      '<script type="application/ld+json">{"@type":"PodcastEpisode","associatedMedia":{"@type":"MediaObject","contentUrl":"/song.mp3"}}</script>',
    ],
    ['an enclosure', 'audio', '', '<link rel="enclosure" type="audio/mpeg" href="/song.mp3">'],
  ];
  for (const [name, format, body, head] of CASES) {
    test(name, async () => {
      const { address, bytes, type, warning } = await media(pageWith(body, head), format);
      assert.ok(address?.startsWith(trawl.address), `${address} ${warning}`);
      assert.ok(bytes?.equals(format === 'video' ? FILM : SONG));
      assert.equal(type, format === 'video' ? 'video/mp4' : 'audio/mpeg');
      assert.equal(warning, undefined);
    });
  }
});

test('both kinds of one page come beside its Markdown, for the price of a page', async () => {
  const url = pageWith('<p>Listen or watch.</p><audio src="/song.mp3"></audio><video src="/film.mp4"></video>');
  const { markdown, audio, video, metadata, ...more } = await trawl.scrape(url, {
    formats: ['markdown', 'audio', 'video'],
  });
  assert.match(markdown ?? '', /Listen or watch/);
  assert.ok(audio?.startsWith(trawl.address) && video?.startsWith(trawl.address));
  assert.equal(metadata.creditsUsed, 1);
  assert.deepEqual(more, {});
});

test('headers of the caller stay with the site of the page', async () => {
  await media(pageWith(`<video src="${elsewhere}"></video>`), 'video', { headers: { 'x-pass': 'secret' } });
  const [asked] = other.requests;
  assert.equal(asked?.headers['x-pass'], undefined);
  assert.ok(asked?.headers.referer?.startsWith(site.url('/page/')));
});

describe('a recording that only a script names is found in a browser', () => {
  test('a player that a script makes', async () => {
    const url = pageWith(
      '<div id="player"></div><script>player.innerHTML = "<vid" + "eo src=/film.mp4 autoplay muted></vid" + "eo>"</script>',
    );
    const { bytes, warning } = await media(url, 'video');
    assert.ok(bytes?.equals(FILM), warning);
  });

  test('the manifest that a script loads is named, and not downloaded', async () => {
    const manifest = site.page('/live/master.m3u8', {
      headers: { 'content-type': 'application/vnd.apple.mpegurl' },
      body: '#EXTM3U',
    });
    const url = pageWith(
      '<video id="v"></video><script>fetch("/live/" + "master.m3u8").then(() => { v.src = URL.createObjectURL(new MediaSource()) })</script>',
    );
    const { address, warning } = await media(url, 'video');
    assert.equal(address, null);
    assert.ok(warning?.includes(manifest), warning);
  });

  test('while one that the HTML names needs no browser', async () => {
    const before = browserRequests();
    await media(pageWith('<video src="/film.mp4"></video>'), 'video');
    assert.equal(browserRequests(), before);
  });
});

describe('a recording that cannot be downloaded is null, and a warning says why', () => {
  site.page('/huge.mp4', {
    headers: { 'content-type': 'video/mp4' },
    body: Buffer.concat([FILM, Buffer.alloc(1_100_000, 1)]),
  });
  site.page('/fake.mp4', html('<h1>Please log in</h1>'));
  const CASES: readonly (readonly [name: string, body: string, said: RegExp])[] = [
    ['no media at all', '<p>Only text.</p>', /plays and links no video/],
    ['a stream', '<video><source src="/s.mpd" type="application/dash+xml"></video>', /is a stream.*\/s\.mpd/],
    ['a file that is too large', '<video src="/huge.mp4"></video>', /\/huge\.mp4.*larger than 1 MB/],
    ['a file that is missing', '<video src="/none.mp4"></video>', /status 404/],
    ['a page instead of a file', '<video src="/fake.mp4"></video>', /type text\/html/],
    ['an address in a private network', '<video src="http://10.0.0.1/film.mp4"></video>', /10\.0\.0\.1/],
  ];
  for (const [name, body, said] of CASES) {
    test(name, async () => {
      const { address, warning } = await media(pageWith(body), 'video');
      assert.equal(address, null);
      assert.match(warning ?? '', said);
    });
  }
});

test('zero data retention refuses both formats', async () => {
  for (const format of ['audio', 'video']) {
    const { status, error } = await trawl.refusal({ url: site.url('/'), formats: [format], zeroDataRetention: true });
    assert.equal(status, 400);
    assert.match(error, /zeroDataRetention/);
  }
});

test('a batch gives them for each page', async () => {
  const urls = [pageWith('<video src="/film.mp4"></video>'), pageWith('<p>None</p>')];
  const { id } = await startBatch(trawl, { urls, formats: ['video'] });
  const { data } = await finishedBatch(trawl, id);
  const videos = urls.map((url) => data.find(({ metadata }) => metadata.sourceURL === url)?.video);
  assert.ok(typeof videos[0] === 'string');
  assert.equal(videos[1], null);
});

test('a page from the cache gives its recording too', async () => {
  const url = pageWith('<video src="/film.mp4"></video>');
  await media(url, 'video');
  const { bytes, document } = await media(url, 'video');
  assert.equal(document.metadata.cacheState, 'hit');
  assert.ok(bytes?.equals(FILM));
});
