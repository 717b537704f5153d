import { html } from './site.ts';

/** A small page in the way of a framework or a kind of site. */
export interface SamplePage {
  name: string;
  html: string;
}

const MENU = [
  'Products',
  'Solutions',
  'Pricing',
  'Documentation',
  'Customers',
  'Partners',
  'About us',
  'Careers',
  'Contact',
]
  .map((label) => `<li><a href="/${label.toLowerCase().replace(' ', '-')}">${label} and everything about it</a></li>`)
  .join('');
const HEADER = `<header class="site-header"><a href="/">Acme</a><nav><ul>${MENU}</ul></nav></header>`;
const FOOTER = `<footer><ul>${MENU}</ul><p>© 2026 Acme Corporation. All rights reserved. Acme and the Acme logo are trademarks of Acme.
  ${'Prices may change without notice. See our terms for delivery, returns and warranties in your country. '.repeat(5)}</p></footer>`;
const PARAGRAPH = `<p>${'The harbour was built in the last century, and its warehouses still stand along the quay. '.repeat(4)}</p>`;
const ARTICLE = `<article><h1>The harbour</h1>${PARAGRAPH.repeat(4)}</article>`;
const ENABLE = '<noscript>You need to enable JavaScript to run this app.</noscript>';
const BUNDLE = '<script type="module" crossorigin src="/assets/index-4f3a1c.js"></script>';
const CHUNKS =
  '<script src="/static/js/runtime.8a1b.js" defer></script><script src="/static/js/main.1c2d.js" defer></script>';
const ANALYTICS = `<script async src="/tag.js?id=G-1"></script><script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());</script>`;
const NEXT_DATA =
  '<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{}},"page":"/","buildId":"b1"}</script>';

const sample = (name: string, body: string, head = ''): SamplePage => ({
  name,
  html: html(body, `<title>${name}</title>${head}`),
});

/** Pages that only a browser can show. */
export const SHELLS: readonly SamplePage[] = [
  sample('Create React App', `${ENABLE}<div id="root"></div>`, CHUNKS),
  sample('React with Vite', `<div id="root"></div>${BUNDLE}`),
  sample('React without a note', '<div id="root"></div><script src="/bundle.js"></script>'),
  sample('React with a loading text', '<div id="root">Loading...</div><script src="/bundle.js"></script>'),
  sample(
    'React with a spinner',
    '<div id="app-root"><div class="spinner"><svg viewBox="0 0 8 8"><circle r="3"/></svg></div></div><script src="/app.js"></script>',
  ),
  sample(
    'React with a logo',
    '<div id="root"><div class="splash"><img src="/logo.svg" alt="Acme"></div></div><script src="/app.js"></script>',
  ),
  sample('React below a static menu', `${HEADER}<div id="root"></div>${FOOTER}${CHUNKS}`),
  sample(
    'Vue CLI',
    `<noscript><strong>We're sorry but app doesn't work properly without JavaScript enabled. Please enable it to continue.</strong></noscript><div id="app"></div>`,
    '<script defer src="/js/chunk-vendors.js"></script><script defer src="/js/app.js"></script>',
  ),
  sample('Vue with Vite', `<div id="app"></div>${BUNDLE}`),
  sample(
    'Vue with templates in the page',
    '<div id="app" v-cloak><h1>{{ title }}</h1><ul><li v-for="item in items">{{ item.name }} {{ item.price }}</li></ul></div><script src="/vue.js"></script>',
  ),
  sample(
    'Angular',
    '<app-root></app-root><script src="/runtime.js" type="module"></script><script src="/polyfills.js" type="module"></script><script src="/main.js" type="module"></script>',
    '<base href="/">',
  ),
  sample(
    'Angular with a loader',
    '<app-root><div class="loader"></div><p>Loading application…</p></app-root><script src="/main.js" type="module"></script>',
  ),
  sample('Angular with another name', '<my-portal></my-portal><script src="/main.js" type="module"></script>'),
  sample(
    'AngularJS',
    '<div ng-app="shop"><div ng-view></div></div><script src="/angular.min.js"></script><script src="/app.js"></script>',
  ),
  sample(
    'AngularJS with templates in the page',
    '<div ng-app="shop" ng-controller="List"><h2>{{heading}}</h2><p ng-repeat="item in items">{{item.name}}: {{item.text}}</p></div><script src="/angular.min.js"></script>',
  ),
  sample(
    'Svelte',
    '',
    `<script defer src="/build/bundle.js"></script><link rel="stylesheet" href="/build/bundle.css">`,
  ),
  sample(
    'SvelteKit without server rendering',
    '<div style="display: contents"><script>{__sveltekit_1 = {base: ""}; Promise.all([import("/_app/immutable/entry/start.js"), import("/_app/immutable/entry/app.js")])}</script></div>',
  ),
  sample('Preact', `<div id="app"></div>${BUNDLE}`),
  sample('Solid', `${ENABLE}<div id="root"></div>${BUNDLE}`),
  sample('Lit', '<my-app></my-app><script type="module" src="/src/my-app.js"></script>'),
  sample(
    'Web components',
    '<acme-header></acme-header><acme-catalogue category="lamps"></acme-catalogue><acme-footer></acme-footer><script type="module" src="/components.js"></script>',
  ),
  sample(
    'Polymer',
    '<shop-app unresolved></shop-app><script src="/webcomponents-loader.js"></script><script type="module" src="/shop-app.js"></script>',
  ),
  sample('Stencil', '<ion-app></ion-app><script type="module" src="/build/app.esm.js"></script>'),
  sample(
    'Ember',
    '<script src="/assets/vendor-2f.js"></script><script src="/assets/app-91.js"></script>',
    '<meta name="app/config/environment" content="%7B%7D">',
  ),
  sample(
    'Next without server rendering',
    `<div id="__next"></div>${NEXT_DATA}<script src="/_next/static/chunks/main.js" defer></script>`,
  ),
  sample(
    'Next with a skeleton',
    `<div id="__next">${HEADER}<main><div class="skeleton"></div><div class="skeleton"></div></main>${FOOTER}</div>${NEXT_DATA}<script src="/_next/static/chunks/main.js" defer></script>`,
  ),
  sample(
    'Next that bails out to the client',
    '<!--$!--><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><!--/$--><script src="/_next/static/chunks/app.js" async></script><script>self.__next_f=self.__next_f||[]</script>',
  ),
  sample(
    'Nuxt without server rendering',
    '<div id="__nuxt"></div><script>window.__NUXT__={serverRendered:false,config:{}}</script><script type="module" src="/_nuxt/entry.js"></script>',
  ),
  sample(
    'Nuxt with its loading screen',
    '<div id="__nuxt"><div class="nuxt-loading-screen"><svg viewBox="0 0 8 8"></svg></div></div><script type="module" src="/_nuxt/entry.js"></script>',
  ),
  sample(
    'Gatsby without pages',
    '<noscript id="gatsby-noscript">This app works best with JavaScript enabled.</noscript><div id="___gatsby"><div id="gatsby-focus-wrapper"></div></div><script src="/app-1f.js" async></script>',
  ),
  sample(
    'Remix without server rendering',
    '<p>Loading...</p><script>window.__remixContext = {"isSpaMode":true}</script><script type="module" async>import "/assets/entry.client.js"</script>',
  ),
  sample(
    'Flutter',
    '<script src="flutter_bootstrap.js" async></script>',
    '<base href="/"><meta content="IE=Edge" http-equiv="X-UA-Compatible">',
  ),
  sample(
    'Flutter with its bootstrap',
    `<div id="flutter_target"></div><script>window.addEventListener('load', function () { _flutter.loader.loadEntrypoint({}) })</script>`,
  ),
  sample(
    'Blazor',
    '<div id="app"><svg class="loading-progress"><circle r="40%"/></svg><div class="loading-progress-text"></div></div><script src="_framework/blazor.webassembly.js"></script>',
  ),
  sample(
    'Elm',
    '<div id="elm"></div><script src="/elm.js"></script><script>Elm.Main.init({ node: document.getElementById("elm") })</script>',
  ),
  sample(
    'Ionic',
    '<app-root></app-root><noscript>Please enable JavaScript to continue using this application.</noscript><script src="/main.js" type="module"></script>',
  ),
  sample('Quasar', `<div id="q-app"></div>${BUNDLE}`),
  sample(
    'Backbone',
    '<div class="container"><div id="main"></div></div><script data-main="js/main" src="js/require.js"></script>',
  ),
  sample(
    'Web application with an empty main element',
    `${HEADER}<main id="content"></main>${FOOTER}<script src="/app.js"></script>`,
  ),
  sample(
    'Shop with an empty list',
    `${HEADER}<main><div class="product-grid" data-source="/api/products"></div></main>${FOOTER}<script src="/shop.js"></script>`,
  ),
  sample(
    'Shop with placeholders',
    `${HEADER}<main><div class="grid"><div class="card shimmer"></div><div class="card shimmer"></div></div></main>${FOOTER}<script src="/shop.js"></script>`,
  ),
  sample(
    'Search with a progress bar',
    `${HEADER}<div class="results"><div role="progressbar"></div></div><script src="/search.js"></script>`,
  ),
  sample(
    'Application that says it loads',
    '<div class="boot"><h1>Please wait</h1><p>We are preparing your workspace.</p></div><script src="/boot.js"></script>',
  ),
  sample(
    'Note to readers without scripts',
    '<div class="page"></div><noscript><p>JavaScript is required to view this site.</p></noscript><script src="/x.js"></script>',
  ),
  sample(
    'Note in German',
    '<div class="page"></div><noscript>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.</noscript><script src="/x.js"></script>',
  ),
  sample(
    'Visible note',
    '<p class="no-js">This site requires JavaScript. Please enable JavaScript in your browser settings.</p><script src="/x.js"></script>',
  ),
  sample('Cookie wall that reloads', '<script>document.cookie = "seen=1; path=/"; location.reload();</script>'),
  sample('Cookie wall with a text', '<p>Please enable cookies to continue.</p><script src="/challenge.js"></script>'),
  sample(
    'Check of the browser',
    '<h1>Checking your browser before accessing the site.</h1><script>setTimeout(function(){document.forms[0].submit()},4000)</script>',
  ),
  sample(
    'Redirect by script',
    '<p>One moment</p><script>window.location.replace("/start?lang=" + navigator.language)</script>',
  ),
  sample('Application behind a status of 404', `<div id="app"></div>${BUNDLE}`),
  sample('Qwik without content', '<div q:container="paused"></div><script type="module" src="/build/q-1.js"></script>'),
];

/** Pages that come with what they have to say. */
export const PAGES: readonly SamplePage[] = [
  sample('Article', `${HEADER}<main>${ARTICLE}</main>${FOOTER}${ANALYTICS}`),
  sample('Article without scripts', ARTICLE),
  sample('Article with an empty widget', `${ARTICLE}<div id="app"></div><script src="/comments.js"></script>`),
  sample(
    'Article with a note',
    `<noscript>Please enable JavaScript for comments.</noscript>${ARTICLE}<script src="/x.js"></script>`,
  ),
  sample('Article with hidden spinner', `${ARTICLE}<div class="spinner" hidden></div><script src="/x.js"></script>`),
  sample(
    'Article about templates',
    `${ARTICLE}${PARAGRAPH}<p>Write <code>{{ name }}</code> for a value and <code>{{ list }}</code> for a list.</p>${PARAGRAPH}<script src="/x.js"></script>`,
  ),
  sample(
    'Next with server rendering',
    `<div id="__next">${HEADER}<main>${ARTICLE}</main>${FOOTER}</div>${NEXT_DATA}<script src="/_next/static/chunks/main.js" defer></script>`,
  ),
  sample(
    'Next with streaming',
    `<main><!--$?--><template id="B:0"></template><div class="skeleton"></div><!--/$--></main><div hidden id="S:0">${ARTICLE}</div><script>$RC("B:0","S:0")</script>`,
  ),
  sample(
    'Nuxt with server rendering',
    `<div id="__nuxt"><div><main>${ARTICLE}</main></div></div><div id="teleports"></div><script type="module" src="/_nuxt/entry.js"></script>`,
  ),
  sample(
    'Gatsby with pages',
    `<div id="___gatsby"><div id="gatsby-focus-wrapper"><main>${ARTICLE}</main></div></div><script src="/app.js" async></script>`,
  ),
  sample(
    'Remix with server rendering',
    `<div>${ARTICLE}</div><script>window.__remixContext = {}</script><script type="module" src="/entry.client.js"></script>`,
  ),
  sample(
    'SvelteKit with server rendering',
    `<div style="display: contents">${ARTICLE}</div><script>{__sveltekit_1 = {}}</script>`,
  ),
  sample(
    'Angular with server rendering',
    `<app-root ng-version="20.0.0" ng-server-context="ssr"><router-outlet></router-outlet><app-page>${ARTICLE}</app-page></app-root><script src="/main.js" type="module"></script>`,
  ),
  sample('Vue with server rendering', `<div id="app" data-server-rendered="true">${ARTICLE}</div>${BUNDLE}`),
  sample(
    'Astro',
    `<main>${ARTICLE}<astro-island component-url="/Counter.js" client="load"><button>0</button></astro-island></main><script type="module" src="/hoisted.js"></script>`,
  ),
  sample(
    'Declarative shadow roots',
    `<doc-page><template shadowrootmode="open"><slot></slot></template>${ARTICLE}</doc-page><script type="module" src="/c.js"></script>`,
  ),
  sample(
    'Ember with FastBoot',
    `<script type="x/boundary" id="fastboot-body-start"></script><div id="ember1" class="ember-view">${ARTICLE}</div><div id="ember-basic-dropdown-wormhole"></div><script src="/assets/vendor.js"></script>`,
  ),
  sample(
    'Example domain',
    '<div><h1>Example Domain</h1><p>This domain is for use in documentation examples without needing permission.</p><p><a href="/more">Learn more</a></p></div>',
  ),
  sample('Tiny page', '<h1>Hello</h1>'),
  sample('Tiny page with analytics', `<h1>It works!</h1><p>This is the default page of this server.</p>${ANALYTICS}`),
  sample('Empty page', ''),
  sample('Empty page with a comment', '<!-- nothing to see -->'),
  sample('Status page', '<pre>OK 200\nuptime 3 days\nqueue 0</pre>'),
  sample('Text', `<pre>${'RFC text of an old memo.\n'.repeat(40)}</pre>`),
  sample('Links alone', `<ul>${MENU}</ul>`),
  sample('Links alone with analytics', `<h1>Index</h1><ul>${MENU}</ul>${ANALYTICS}`),
  sample(
    'Directory',
    '<h1>Index of /pub</h1><pre><a href="../">../</a>\n<a href="a.tar.gz">a.tar.gz</a> 2026-01-01 10:00 3M</pre>',
  ),
  {
    name: 'Frames',
    html: '<!doctype html><html><head><title>Frames</title></head><frameset cols="20%,80%"><frame src="/menu.html"><frame src="/start.html"></frameset></html>',
  },
  sample(
    'Frame in the whole page',
    '<iframe src="/inner.html" width="100%" height="900"></iframe><script src="/resize.js"></script>',
  ),
  sample(
    'Redirect by the head',
    '<p>This page has moved.</p><script src="/x.js"></script>',
    '<meta http-equiv="refresh" content="0; url=/new">',
  ),
  sample(
    'Login',
    '<form method="post"><label>Name <input name="user"></label><label>Password <input type="password" name="pass"></label><button>Log in</button></form><noscript>Please enable JavaScript for single sign-on.</noscript><script src="/login.js"></script>',
  ),
  sample(
    'Search form',
    '<h1>Find a book</h1><form action="/search"><input name="q"><button>Search</button></form><script src="/suggest.js"></script>',
  ),
  sample(
    'Contact form',
    `${HEADER}<main><h1>Contact</h1><form><input name="name"><input name="mail"><textarea name="text"></textarea><button>Send</button></form></main>${FOOTER}<script src="/x.js"></script>`,
  ),
  sample(
    'Not found',
    `<h1>404</h1><p>The page that you are looking for does not exist.</p><p><a href="/">Home</a></p>`,
  ),
  sample(
    'Not found in a layout',
    `${HEADER}<main><h1>Page not found</h1><p>It may have moved, or never have been here. Try the search, or go back to the start.</p></main>${FOOTER}${ANALYTICS}`,
  ),
  sample('Server error', '<h1>502 Bad Gateway</h1><hr><center>nginx</center>'),
  sample(
    'Maintenance',
    `<h1>We will be back soon</h1><p>The site is being maintained. Please come back in an hour or two.</p><script src="/x.js"></script>`,
  ),
  sample(
    'Empty list',
    `${HEADER}<main><h1>Orders</h1><p>You have no orders yet. When you buy something, it appears here with its state.</p></main>${FOOTER}<script src="/x.js"></script>`,
  ),
  sample('Picture', '<img src="/photo.jpg" alt="A photo"><script src="/zoom.js"></script>'),
  sample(
    'Gallery',
    `<main><h1>Photos</h1>${'<a href="/p"><img src="/p.jpg" alt="Photo"></a>'.repeat(12)}</main><script src="/gallery.js"></script>`,
  ),
  sample('Video', '<h1>Talk</h1><video src="/talk.mp4" controls></video><script src="/player.js"></script>'),
  sample('Table', `<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(20)}</table><script src="/sort.js"></script>`),
  sample(
    'Product',
    `${HEADER}<main><h1>Lamp</h1><p>29.90 €</p><p>A lamp of brass with a shade of linen, 40 cm high, for bulbs of up to 40 W.</p><button>Add to cart</button></main>${FOOTER}<script src="/shop.js"></script>`,
  ),
  sample(
    'Forum',
    `<div id="topic">${'<div class="post"><b>Ada</b><p>I had the same with the last version, and an update helped.</p></div>'.repeat(6)}</div><script src="/forum.js"></script>`,
  ),
  sample(
    'Documentation',
    `<nav><ul>${MENU}</ul></nav><div id="main">${ARTICLE}</div><script src="/search.js"></script>`,
  ),
  sample(
    'Forum for readers without scripts',
    `<section id="main"></section><noscript>${ARTICLE}</noscript><script src="/discourse.js"></script>`,
  ),
  sample(
    'Page that a script shows',
    `<div style="visibility: hidden">${ARTICLE}</div><script>document.body.firstChild.style.visibility = 'visible'</script>`,
  ),
  sample(
    'Page in Japanese',
    `<main><h1>港</h1><p>${'この港は前世紀に造られ、倉庫は今も埠頭に沿って並んでいる。'.repeat(10)}</p></main><script src="/x.js"></script>`,
  ),
  sample(
    'Consent banner over an article',
    `<div id="onetrust-consent-sdk"><p>We value your privacy. Accept cookies to continue.</p></div>${ARTICLE}<script src="/otSDKStub.js"></script>`,
  ),
  sample(
    'Business card',
    '<h1>Ada Lovelace</h1><p>Mathematician in London. Write to <a href="mailto:ada@example.com">ada@example.com</a>.</p><script src="/stats.js" async></script>',
  ),
];
