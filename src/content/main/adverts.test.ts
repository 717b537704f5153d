import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { textOf } from '../walk.ts';
import { dropAdverts } from './adverts.ts';

it('takes out advertisements and cookie banners and leaves the rest of the page', () => {
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
