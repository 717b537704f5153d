import type { Branding } from '../../src/browser/branding/types.ts';

/** A page, and what a designer would say about it. */
export interface Design {
  name: string;
  head: string;
  body: string;
  expected: {
    colorScheme: Branding['colorScheme'];
    colors: Partial<Branding['colors']>;
    /** What the address of the logo has to match; null for none. */
    logo: RegExp | null;
    fonts?: string[];
    typography?: object;
    spacing?: object;
    components?: object;
    icons?: object;
    images?: object;
    animations?: object;
    layout?: object;
  };
}

const TEXT = 'A short paragraph about what the company does, for whom, and why it is worth a look. '.repeat(3);

/** Designs of different kinds, each with the values it was made from. */
export const DESIGNS: readonly Design[] = [
  {
    name: 'a light page with a picture as its logo',
    head: `<title>Harbour Coffee</title>
      <link rel="icon" href="/favicon-32.png" sizes="32x32"><link rel="apple-touch-icon" sizes="180x180" href="/touch.png">
      <meta property="og:image" content="/share.jpg">
      <style>
        * { box-sizing: border-box; margin: 0 }
        body { background: #ffffff; color: #1f2937; font: 16px/1.5 "Source Sans", Arial, sans-serif }
        header { display: flex; gap: 24px; padding: 16px 32px; align-items: center; height: 72px }
        h1 { font: 700 48px/1.2 Merriweather, serif; margin: 32px 0 16px } h2 { font: 700 32px/1.2 Merriweather, serif }
        main { max-width: 960px; padding: 32px } p { margin: 16px 0 } .quiet { color: #6b7280 }
        a { color: #0e7490 } .button { background: #b45309; color: #ffffff; border-radius: 8px; padding: 12px 24px; display: inline-block; transition: background-color 0.2s ease-in-out }
        .button.outline { background: transparent; color: #b45309; border: 2px solid #b45309 }
      </style>`,
    body: `<header><a href="/"><img class="site-logo" src="/images/harbour.png" alt="Harbour Coffee" width="140" height="40"></a>
        <nav><a href="/beans">Beans</a> <a href="/shops">Shops</a></nav></header>
      <main><h1>Coffee from the harbour</h1><p>${TEXT.repeat(3)} <a href="/story">Our story</a></p>
        <a class="button" href="/buy">Buy coffee</a> <a class="button outline" href="/visit">Visit us</a>
        <h2>Why us</h2><p>${TEXT}</p><p class="quiet">${TEXT}</p>
        <p>Trusted by <img src="/partners/acme-logo.png" alt="Acme logo" width="120" height="40"></p></main>`,
    expected: {
      colorScheme: 'light',
      logo: /\/images\/harbour\.png$/,
      colors: {
        ...{ primary: '#B45309', background: '#FFFFFF', textPrimary: '#1F2937', textSecondary: '#6B7280' },
        ...{ accent: '#0E7490', link: '#0E7490' },
      },
      fonts: ['Source Sans', 'Merriweather'],
      typography: {
        fontFamilies: { primary: 'Source Sans', heading: 'Merriweather' },
        fontSizes: { h1: '48px', h2: '32px', body: '16px' },
        fontWeights: { regular: 400, bold: 700 },
        lineHeights: { heading: '1.2', body: '1.5' },
      },
      spacing: { baseUnit: 8, borderRadius: '8px', padding: { button: '12px 24px' } },
      components: {
        buttonPrimary: { background: '#B45309', textColor: '#FFFFFF', borderRadius: '8px' },
        buttonSecondary: { textColor: '#B45309', borderColor: '#B45309', borderRadius: '8px' },
      },
      images: { logo: '/images/harbour.png', favicon: '/touch.png', ogImage: '/share.jpg' },
      animations: { transitionDuration: '0.2s', easing: 'ease-in-out' },
      layout: { grid: { maxWidth: '960px' }, headerHeight: '72px' },
    },
  },
  {
    name: 'a dark page with a drawing as its logo',
    head: `<title>Nightshift</title><style>
        :root { color-scheme: dark } body { margin: 0; background: #0b1020; color: #e5e7eb; font: 15px/1.6 Inter, system-ui, sans-serif }
        header { background: #111831; padding: 20px 40px; display: flex; gap: 20px; color: #a5b4fc }
        h1 { font-size: 60px; line-height: 1; font-weight: 800; color: #ffffff } p { margin: 20px 0 } small { color: #9ca3af }
        .cta { background: #6366f1; color: #ffffff; border: 0; border-radius: 9999px; padding: 10px 20px; font: inherit }
        code { font-family: "JetBrains Mono", monospace } main { padding: 40px } main a { color: #22d3ee }
      </style>`,
    body: `<header><a href="/" aria-label="Nightshift"><svg class="logo" width="120" height="32" viewBox="0 0 120 32"><title>Nightshift</title><circle cx="16" cy="16" r="14" fill="currentColor"/></svg></a>
        <a href="/docs"><svg width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="#a5b4fc"><path d="M4 4h16v16H4z" fill="none" stroke="#a5b4fc"/></svg></a></header>
      <main><h1>Deploy at night</h1><p>${TEXT.repeat(4)} <a href="/how">How</a></p><p><small>${TEXT}</small></p>
        <p>Run <code>npx nightshift</code></p><button class="cta">Start now</button></main>`,
    expected: {
      colorScheme: 'dark',
      logo: /^data:image\/svg\+xml,.*circle.*/,
      colors: {
        ...{ primary: '#6366F1', background: '#0B1020', textPrimary: '#E5E7EB', textSecondary: '#9CA3AF' },
        link: '#22D3EE',
      },
      fonts: ['Inter', 'JetBrains Mono'],
      typography: { fontFamilies: { primary: 'Inter', heading: 'Inter', code: 'JetBrains Mono' } },
      spacing: { baseUnit: 10, borderRadius: '9999px' },
      icons: { style: 'outline', color: '#A5B4FC' },
      components: { buttonPrimary: { background: '#6366F1', textColor: '#FFFFFF', borderRadius: '9999px' } },
    },
  },
  {
    name: 'custom properties that name its colours',
    head: `<title>Tokens</title><style>
        :root { --color-primary: #7c3aed; --color-primary-hover: #5b21b6; --color-secondary: #0f766e; --color-accent: #f59e0b;
          --color-success: #16a34a; --color-warning: #eab308; --color-error: #dc2626; --gap: 12px }
        body { margin: 0; background: #fafaf9; color: #292524; font: 17px/1.7 Georgia, serif }
        .hero { background: var(--color-secondary); color: #fff; padding: 60px 24px; height: 200px } .note { background: var(--color-accent); padding: 12px }
        button { background: var(--color-primary); color: #fff; border: 0; border-radius: 4px; padding: 12px 18px }
        a { color: var(--color-primary) }
      </style>`,
    body: `<div class="hero"><h1>All by name</h1></div><p>${TEXT.repeat(5)} <a href="/x">More</a></p><div class="note">Sale</div><button>Send</button>`,
    expected: {
      colorScheme: 'light',
      logo: null,
      colors: {
        ...{
          primary: '#7C3AED',
          secondary: '#0F766E',
          accent: '#F59E0B',
          background: '#FAFAF9',
          textPrimary: '#292524',
        },
        ...{ success: '#16A34A', warning: '#EAB308', error: '#DC2626', link: '#7C3AED' },
      },
      spacing: { borderRadius: '4px' },
    },
  },
  {
    name: 'utility classes in the manner of Tailwind, with colours in oklch',
    head: `<title>Utility</title><style>
        :root { --color-sky-500: oklch(68.5% 0.169 237.323); --primary: 221 83% 53%; --primary-foreground: 210 40% 98% }
        * { box-sizing: border-box; margin: 0 } body { font: 16px/1.5 ui-sans-serif, system-ui, sans-serif; background: #fff; color: oklch(20.8% 0.042 265.755) }
        .bg-primary { background: hsl(var(--primary)) } .text-white { color: #fff } .rounded-lg { border-radius: 0.5rem } .px-4 { padding-left: 16px; padding-right: 16px } .py-2 { padding-top: 8px; padding-bottom: 8px }
        .text-sky-500 { color: var(--color-sky-500) } .text-4xl { font-size: 36px; line-height: 40px } .font-bold { font-weight: 700 } .font-medium { font-weight: 500 } .grid { display: grid; grid-template-columns: repeat(3, 1fr); gap: 24px } .p-8 { padding: 32px }
        .border { border: 1px solid #e2e8f0 } input { font: inherit; background: #fff; padding: 8px 12px; border: 1px solid #cbd5e1; border-radius: 6px; color: #0f172a }
      </style>`,
    body: `<div class="p-8"><h1 class="text-4xl font-bold">Utility first</h1><p>${TEXT.repeat(4)} <a class="text-sky-500" href="/d">Docs</a></p><p class="font-medium">${TEXT}</p>
        <button class="bg-primary text-white rounded-lg px-4 py-2" style="border:0">Get started</button> <button class="border rounded-lg px-4 py-2" style="background:#fff;color:#0f172a">Learn more</button>
        <form><input type="email" placeholder="you@example.com"></form>
        <div class="grid"><div class="p-8 border">One</div><div class="p-8 border">Two</div><div class="p-8 border">Three</div></div></div>`,
    expected: {
      colorScheme: 'light',
      logo: null,
      colors: { primary: '#2463EB', background: '#FFFFFF', textPrimary: '#0F172B', link: '#00A6F4' },
      typography: {
        fontFamilies: { primary: 'ui-sans-serif', heading: 'ui-sans-serif' },
        fontWeights: { regular: 400, medium: 500, bold: 700 },
      },
      spacing: { baseUnit: 8, borderRadius: '8px', padding: { button: '8px 16px', input: '8px 12px' } },
      components: {
        buttonPrimary: { background: '#2463EB', textColor: '#FFFFFF', borderRadius: '8px' },
        buttonSecondary: { background: '#FFFFFF', textColor: '#0F172A', borderColor: '#E2E8F0', borderRadius: '8px' },
        input: { background: '#FFFFFF', textColor: '#0F172A', borderColor: '#CBD5E1', borderRadius: '6px' },
      },
      layout: { grid: { columns: 3 } },
    },
  },
  {
    name: 'a page in the manner of Bootstrap that overrides its primary colour',
    head: `<title>Strapped</title><style>
        :root { --bs-blue: #0d6efd; --bs-primary: #0d6efd; --bs-secondary: #6c757d; --bs-success: #198754; --bs-warning: #ffc107; --bs-danger: #dc3545; --bs-primary-rgb: 13, 110, 253; --bs-link-color: #0d6efd }
        body { margin: 0; font: 16px/1.5 "Helvetica Neue", Arial, sans-serif; color: #212529; background: #fff }
        .navbar { background: #e63946; padding: 8px 16px; height: 56px; box-sizing: border-box } .navbar-brand { color: #fff; font-size: 20px } .text-muted { color: #6c757d }
        .btn { padding: 6px 12px; border: 1px solid transparent; border-radius: 6px; font: inherit } .btn-primary { background: #e63946; color: #fff } .btn-outline-secondary { color: #6c757d; border-color: #6c757d; background: transparent }
        .container { max-width: 1140px; padding: 16px } .container a { color: #1d3557 } .alert-success { background: #d1e7dd; padding: 16px }
      </style>`,
    body: `<nav class="navbar"><a class="navbar-brand" href="/">Strapped</a></nav><div class="container"><h1>Dashboard</h1><div class="alert alert-success">Saved.</div>
        <p>${TEXT.repeat(4)} <a href="/a">An article</a></p><p class="text-muted">${TEXT}</p><button class="btn btn-primary">Save</button> <button class="btn btn-outline-secondary">Cancel</button></div>`,
    expected: {
      colorScheme: 'light',
      logo: null,
      colors: {
        ...{
          primary: '#E63946',
          background: '#FFFFFF',
          textPrimary: '#212529',
          textSecondary: '#6C757D',
          link: '#1D3557',
        },
        ...{ success: '#198754', warning: '#FFC107', error: '#DC3545' },
      },
      components: {
        buttonPrimary: { background: '#E63946', textColor: '#FFFFFF', borderRadius: '6px' },
        buttonSecondary: { textColor: '#6C757D', borderColor: '#6C757D', borderRadius: '6px' },
      },
      layout: { grid: { maxWidth: '1140px' }, headerHeight: '56px' },
    },
  },
  {
    name: 'a hero with a gradient, and a logo drawn from a symbol',
    head: `<title>Aurora</title><style>
        body { margin: 0; background: #fff; color: #111827; font: 18px/1.5 "DM Sans", sans-serif } header { position: absolute; top: 0; padding: 16px; color: #fff }
        .hero { height: 420px; background-image: linear-gradient(120deg, #ff0080 0%, #7928ca 100%); color: #fff; padding: 80px 32px }
        .go { background: #fff; color: #111827; padding: 16px 32px; border-radius: 12px; border: 0 } section { padding: 32px; min-height: 700px }
      </style>`,
    body: `<svg style="display:none"><symbol id="mark" viewBox="0 0 100 30"><rect width="100" height="30" fill="#ffffff"/></symbol></svg>
      <header><a href="/" class="brand"><svg width="100" height="30"><use href="#mark"/></svg></a></header>
      <div class="hero"><h1>Colour everywhere</h1><button class="go">Try it</button></div><section><p>${TEXT.repeat(4)}</p></section>`,
    expected: {
      colorScheme: 'light',
      logo: /^data:image\/svg\+xml,.*symbol.*/,
      colors: { primary: '#FF0080', secondary: '#7928CA', background: '#FFFFFF', textPrimary: '#111827' },
      components: { buttonPrimary: { background: '#FFFFFF', textColor: '#111827', borderRadius: '12px' } },
    },
  },
  {
    name: 'no picture but the icon of the site, and black on white',
    head: `<title>Plain</title><link rel="icon" type="image/svg+xml" href="/mark.svg"><link rel="icon" sizes="16x16" href="/f.ico">
      <style>body { font: 20px/1.4 "IBM Plex Serif", serif; color: #000; background: #fff } button { background: #000; color: #fff; border: 0; padding: 10px 20px; border-radius: 0 } a { color: #000 }</style>`,
    body: `<h1>Words</h1><p>${TEXT.repeat(6)} <a href="/m">More</a></p><button>Subscribe</button>`,
    expected: {
      colorScheme: 'light',
      logo: /\/mark\.svg$/,
      colors: { primary: '#000000', background: '#FFFFFF', textPrimary: '#000000', link: '#000000' },
      spacing: { borderRadius: '0px' },
      components: { buttonPrimary: { background: '#000000', textColor: '#FFFFFF', borderRadius: '0px' } },
      images: { favicon: '/mark.svg' },
    },
  },
  {
    name: 'a logo that only its structured data states, over a dark wrapper on a white body',
    head: `<title>Wrapped</title><meta name="theme-color" content="#00b894">
      <script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite"},{"@type":"Organization","name":"Wrapped","logo":{"@type":"ImageObject","url":"/media/wrapped.svg"}}]}</script>
      <style>body { margin: 0; background: #fff } .app { min-height: 100vh; background: #18181b; color: #fafafa; font: 14px/20px "Space Grotesk", sans-serif; padding: 24px } .dim { color: rgba(250, 250, 250, 0.6) }</style>`,
    body: `<div class="app"><h1 style="font-size:40px;line-height:44px">Inside</h1><p>${TEXT.repeat(4)}</p><p class="dim">${TEXT}</p></div>`,
    expected: {
      colorScheme: 'dark',
      logo: /\/media\/wrapped\.svg$/,
      colors: { primary: '#00B894', background: '#18181B', textPrimary: '#FAFAFA', textSecondary: '#A0A0A1' },
      typography: { fontSizes: { h1: '40px', body: '14px' }, lineHeights: { heading: '1.1', body: '1.43' } },
    },
  },
  {
    name: 'a logo as the background of a link',
    head: `<title>Backed</title><style>body { margin: 0; background: #fff7ed; color: #431407; font: 16px/1.5 Lato, sans-serif } .top { background: #c2410c; padding: 12px } .top .logo { display: block; width: 160px; height: 40px; background: url(/static/backed.png) no-repeat; text-indent: -999px; overflow: hidden } a { color: #9a3412 }</style>`,
    body: `<header class="top"><a class="logo" href="/">Backed</a></header><h1>Old but good</h1><p>${TEXT.repeat(4)} <a href="/z">Read</a></p>`,
    expected: {
      colorScheme: 'light',
      logo: /\/static\/backed\.png$/,
      colors: { primary: '#C2410C', background: '#FFF7ED', textPrimary: '#431407', link: '#9A3412' },
    },
  },
];
