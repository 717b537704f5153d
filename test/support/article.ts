import { html } from './site.ts';

/** Words that occur only in the article of `articlePage`. */
export const IN_ARTICLE = 'The ferry to the island leaves twice a day';

/** Words of its navigation, banner, aside and footer: not the main content. */
export const AROUND = ['Timetables and fares', 'We use cookies', 'Most read this week', 'Imprint and privacy'];

/** A typical news page: an article surrounded by navigation, cookie banner, aside and footer. */
export function articlePage(extra = '', head = '<title>The island</title>'): string {
  return html(
    `
    <header><nav><ul><li><a href="/fares">Timetables and fares</a></li><li><a href="/news">News</a></li></ul></nav></header>
    <div id="cookie-banner" class="cookie-consent"><p>We use cookies to improve your visit.</p><button>Accept</button></div>
    <main><article>
      <h1>Life on the island</h1>
      <p>${IN_ARTICLE}, once in the morning and once in the late afternoon, and carries post, bread and visitors.</p>
      <p>In winter the sea is often too rough, and then nobody arrives for days, which the islanders quite like.</p>
      <p>There is one shop, one school with nine pupils, and a library that is open whenever somebody knocks.</p>
      ${extra}
      <p>See the <a href="/map.html#harbour">map of the harbour</a> before you come, and bring boots.</p>
    </article></main>
    <aside class="sidebar"><h2>Most read this week</h2><ul><li><a href="/a">First</a></li><li><a href="/b">Second</a></li></ul></aside>
    <footer><p>Imprint and privacy</p></footer>`,
    head,
  );
}
