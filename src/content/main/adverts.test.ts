import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { textOf } from '../walk.ts';
import { dropAdverts } from './adverts.ts';

it('removes advertisements and cookie banners and keeps the rest of the page', () => {
  const { root } = parseHtml(
    `<nav>Menu</nav><p>The harbour of the old town was built for sailing ships.</p><div class="ad-slot">Buy rope</div>
     <div><div id="cookie-consent">We use cookies</div><p>Its quays are low.</p></div><footer>Imprint</footer>`,
    'https://example.test/',
  );
  dropAdverts(root);
  const text = textOf(root);
  for (const kept of ['Menu', 'sailing ships', 'quays are low', 'Imprint']) assert.ok(text.includes(kept), kept);
  for (const gone of ['Buy rope', 'We use cookies']) assert.ok(!text.includes(gone), gone);
});

it('keeps a section about cookies whose id comes from its heading', () => {
  const text = 'The age of the cookie in seconds. A year is the default, and a shorter time is safer.';
  const { root } = parseHtml(
    `<section id="csrf-cookie-age"><h3>CSRF_COOKIE_AGE<a href="#csrf-cookie-age">¶</a></h3><p>${text}</p></section>
     <dl><dt id="django.http.HttpRequest.COOKIES">HttpRequest.COOKIES</dt><dd>A dictionary of all cookies.</dd></dl>
     <section id="cookie-banner"><h2>Cookies</h2><p>We use cookies.</p></section><p>${text.repeat(9)}</p>`,
    'https://example.com/',
  );
  dropAdverts(root);
  const left = textOf(root, 2_000);
  for (const kept of ['CSRF_COOKIE_AGE', text, 'HttpRequest.COOKIES', 'A dictionary'])
    assert.ok(left.includes(kept), kept);
  assert.ok(!left.includes('We use cookies'));
});
