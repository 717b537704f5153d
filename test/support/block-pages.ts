import type { SiteResponse } from '../../src/content/block-page.ts';

/** A response written for tests. */
export interface WrittenPage extends SiteResponse {
  name: string;
}

/** A block page, and whose. */
export interface WrittenBlock extends WrittenPage {
  vendor: string | undefined;
}

const LONG =
  '<p>Lamps of brass and paper stand in rows along the wall, and each throws its own small circle.</p>'.repeat(40);

function response(name: string, status: number, body: string, headers: Record<string, string> = {}): WrittenPage {
  const contentType = headers['content-type'] ?? 'text/html';
  return { name, status, headers, contentType, body: Buffer.from(body) };
}

function page(title: string, body: string, head = ''): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

type Row = [vendor: string | undefined, name: string, status: number, html: string, headers?: Record<string, string>];

const cloudflare = { server: 'cloudflare', 'cf-ray': '8f2a1b3c4d5e6f70-FRA' };

/** Imitations of the pages of the large vendors, shortened, with invented ids. */
const BLOCKS: Row[] = [
  [
    'Cloudflare',
    'managed challenge',
    403,
    page(
      'Just a moment...',
      '<noscript><div id="challenge-error-text">Enable JavaScript and cookies to continue</div></noscript><script>(function(){window._cf_chl_opt = {cType: "managed"};a.src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=1";})();</script>',
    ),
    { ...cloudflare, 'cf-mitigated': 'challenge' },
  ],
  [
    'Cloudflare',
    'challenge behind a proxy that drops headers',
    503,
    page('Just a moment...', '<script>window._cf_chl_opt={cvId:"3"};</script>'),
  ],
  [
    'Cloudflare',
    'challenge in French',
    403,
    page(
      'Un instant…',
      '<h1>shop.example</h1><p>Vérifiez que vous êtes humain.</p><script>window._cf_chl_opt={}</script>',
    ),
    cloudflare,
  ],
  [
    'Cloudflare',
    'sorry, you have been blocked',
    403,
    page(
      'Attention Required! | Cloudflare',
      '<div id="cf-wrapper"><div id="cf-error-details"><h1>Sorry, you have been blocked</h1><h2>You are unable to access shop.example</h2></div></div>',
    ),
    cloudflare,
  ],
  [
    'Cloudflare',
    'error 1020',
    403,
    page(
      'Access denied | shop.example used Cloudflare to restrict access',
      '<h1><span>Error</span> <span>1020</span></h1><p>Access denied</p>',
    ),
    cloudflare,
  ],
  ['Cloudflare', 'error 1015 as text', 429, 'error code: 1015', { ...cloudflare, 'content-type': 'text/plain' }],
  [
    'Cloudflare',
    'older browser check',
    503,
    page(
      'Just a moment...',
      '<h1>Checking your browser before accessing shop.example.</h1><p>DDoS protection by Cloudflare<br>Ray ID: 8f2a</p>',
    ),
  ],
  [
    'Akamai',
    'access denied',
    403,
    '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don\'t have permission to access "http&#58;&#47;&#47;shop&#46;example&#47;" on this server.<P>\nReference&#32;&#35;18&#46;2d351ab8&#46;1557333295&#46;a4e16ab\n<P>\nhttps&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18\n</P>\n</BODY>\n</HTML>',
    { server: 'AkamaiGHost' },
  ],
  [
    'Akamai',
    'access denied, plain',
    403,
    '<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1>You don\'t have permission to access "http://shop.example/" on this server.<p>Reference #18.2d351ab8.1557333295</p></body></html>',
  ],
  [
    'Akamai',
    'behavioural challenge',
    429,
    page(
      '&nbsp;',
      '<div id="sec-if-cpt-container"></div><script src="/_sec/cp_challenge/ak-challenge-4-3.js"></script>',
    ),
  ],
  [
    'DataDome',
    'captcha',
    403,
    page(
      'shop.example',
      "<p id=\"cmsg\">Please enable JS and disable any ad blocker</p><script data-cfasync=\"false\">var dd={'rt':'c','cid':'AHrl','hsh':'2AC','t':'bv','host':'geo.captcha-delivery.com'}</script><script src=\"https://ct.captcha-delivery.com/c.js\"></script>",
    ),
    { 'x-datadome': 'protected' },
  ],
  [
    'DataDome',
    'interstitial',
    401,
    page(
      'shop.example',
      '<script>var dd={"rt":"i","cid":"AH"}</script><script src="https://ct.captcha-delivery.com/i.js"></script>',
    ),
  ],
  [
    'HUMAN (PerimeterX)',
    'press and hold',
    403,
    page(
      'Access to this page has been denied',
      '<div class="px-captcha-container"><div id="px-captcha"></div><p>Press &amp; Hold to confirm you are a human (and not a bot).</p></div><script>window._pxAppId="PXabc";</script><script src="/abc/captcha/captcha.js"></script>',
    ),
  ],
  [
    'HUMAN (PerimeterX)',
    'robot or human',
    412,
    page(
      'Robot or human?',
      '<h1>Activate and hold the button to confirm that you’re human.</h1><div id="px-captcha"></div>',
    ),
  ],
  [
    'HUMAN (PerimeterX)',
    'captcha from its network',
    403,
    page('Please verify', '<script src="https://captcha.px-cdn.net/PXabc/captcha.js"></script>'),
  ],
  [
    'Imperva',
    'frame with status 200',
    200,
    '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head><body style="margin:0px;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&xinfo=1-2-0" frameborder=0 width="100%">Request unsuccessful. Incapsula incident ID: 877000-123</iframe></body></html>',
    { 'x-iinfo': '1-2-0', 'x-cdn': 'Imperva' },
  ],
  [
    'Imperva',
    'newer frame',
    403,
    '<html><head></head><body><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=9-1" frameborder=0>Request unsuccessful.</iframe></body></html>',
  ],
  [
    'Imperva',
    'pardon our interruption',
    405,
    page(
      'Pardon Our Interruption',
      '<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot.</p>',
    ),
  ],
  [
    'AWS WAF',
    'challenge',
    202,
    page(
      '',
      '<script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQ"};</script><script src="https://1a.token.awswaf.com/1a/challenge.js"></script>',
    ),
    { 'x-amzn-waf-action': 'challenge' },
  ],
  [
    'AWS WAF',
    'captcha',
    405,
    page(
      'Human Verification',
      '<script>window.gokuProps = {"key":"AQ","context":"x"};</script><div id="captcha-container"></div>',
    ),
  ],
  [
    'CloudFront',
    'request blocked',
    403,
    "<!DOCTYPE HTML><HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD><BODY><H1>403 ERROR</H1><H2>The request could not be satisfied.</H2><HR>Request blocked. We can't connect to the server for this app or website at this time.<PRE>Generated by cloudfront (CloudFront)</PRE></BODY></HTML>",
  ],
  [
    'Kasada',
    'script',
    429,
    '<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=Date.now;KPSDK.start=KPSDK.now();</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?x-kpsdk-im=AA"></script></body></html>',
  ],
  [
    'F5',
    'request rejected with status 200',
    200,
    "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890<br><br><a href='javascript:history.back();'>[Go Back]</a></body></html>",
  ],
  [
    'F5',
    'script challenge',
    200,
    '<html><head><script>window["bobcmn"] = "1011";</script></head><body><noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 12345.</noscript></body></html>',
  ],
  [
    'Sucuri',
    'access denied',
    403,
    page(
      'Sucuri WebSite Firewall - Access Denied',
      '<h1>Access Denied - Sucuri Website Firewall</h1><table><tr><td>Block ID:</td><td>BNP005</td></tr></table>',
    ),
    { 'x-sucuri-id': '15015', 'x-sucuri-block': 'BNP005' },
  ],
  [
    'Sucuri',
    'script challenge',
    200,
    '<html><title>You are being redirected...</title><noscript>Javascript is required.</noscript><script>var s={},sucuri_cloudproxy_js=\'\',S="cz";</script></html>',
  ],
  [
    'DDoS-Guard',
    'script challenge',
    403,
    page(
      'DDoS-Guard',
      '<h1 id="ddg-l10n-title">Checking your browser before accessing shop.example</h1><script src="/.well-known/ddos-guard/js-challenge/index.js"></script>',
    ),
    { server: 'ddos-guard' },
  ],
  [
    'Google',
    'sorry',
    429,
    '<html><head><title>https://www.google.example/search?q=lamp</title></head><body><form id="captcha-form" action="index" method="post"><div class="g-recaptcha"></div></form>Our systems have detected unusual traffic from your computer network.</body></html>',
  ],
  [
    'Amazon',
    'robot check with status 200',
    200,
    page(
      'Amazon.example',
      '<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you\'re not a robot.</p><form method="get" action="/errors/validateCaptcha"><input type="text"></form>',
    ),
  ],
  [
    'Vercel',
    'checkpoint',
    429,
    page('Vercel Security Checkpoint', "<p>We're verifying your browser</p>"),
    { 'x-vercel-mitigated': 'challenge' },
  ],
  [
    'Fastly',
    'client challenge',
    200,
    page(
      'Client Challenge',
      '<noscript>JavaScript is disabled in your browser.</noscript><script src="/_fs-ch-1T1wmsGaOgGaSxcX/errors.js"></script>',
    ),
  ],
  [
    'Anubis',
    'proof of work with status 200',
    200,
    page(
      'Making sure you&#39;re not a bot!',
      '<script id="anubis_version" type="application/json">"v1.20.0"</script><h1>Making sure you&#39;re not a bot!</h1><p>Loading...</p>',
    ),
  ],
  [
    'Radware',
    'captcha',
    403,
    page('Radware Captcha Page', '<script src="https://captcha.perfdrive.com/captcha.js"></script>'),
  ],
  [
    'Wordfence',
    'blocked',
    503,
    page(
      'Your access to this site has been limited',
      '<p>Your access to this service has been limited. (HTTP response code 503)</p><p><em>Generated by Wordfence at Mon, 2 Mar 2026</em></p>',
    ),
  ],
  [
    'Azure',
    'request blocked',
    403,
    '<html><head><title>403 Forbidden</title></head><body>The request is blocked. 20260302T101112Z1234567890abcdef</body></html>',
  ],
  [
    'Alibaba',
    'punish',
    200,
    '<script>window._config_={"action":"captcha","url":"https://shop.example/_____tmd_____/punish?x5secdata=x"}</script>',
  ],
  [
    'Yandex',
    'smart captcha',
    200,
    page(
      'Are you not a robot?',
      '<form method="POST" action="/checkcaptcha?key=1"><span class="CheckboxCaptcha-Anchor">I\'m not a robot</span></form>',
    ),
  ],
  [
    undefined,
    'captcha wall of an unknown product',
    403,
    page(
      'One more step',
      '<p>Please complete the security check to access shop.example</p><div class="h-captcha"></div>',
    ),
  ],
  [
    undefined,
    'unusual traffic',
    429,
    page('Hold on', '<p>We noticed unusual activity from your network. Confirm you are not a robot.</p>'),
  ],
  [
    undefined,
    'network security',
    403,
    page(
      'Blocked',
      '<p>You have been blocked by network security.</p><p>To continue, log in to your account or use a developer token.</p>',
    ),
  ],
  [
    undefined,
    'access to this page has been denied',
    403,
    page(
      'Denied',
      '<p>Access to this page has been denied because we believe you are using automation tools to browse the website.</p>',
    ),
  ],
];

const TURNSTILE =
  '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script><div class="cf-turnstile" data-sitekey="0x4"></div>';
const JSD =
  '<script>(function(){var d=b.createElement("script");d.innerHTML="window.__CF$cv$params={r:1};a.src=\'/cdn-cgi/challenge-platform/scripts/jsd/main.js\'"})();</script>';

type Plain = [name: string, status: number, html: string, headers?: Record<string, string>];

/** Pages that resemble block pages, and are content or plain errors. */
const NORMAL: Plain[] = [
  [
    'login with reCAPTCHA',
    200,
    page(
      'Log in',
      '<form><input name="user"><input type="password"><div class="g-recaptcha" data-sitekey="6L"></div><button>Log in</button></form><script src="https://www.google.com/recaptcha/api.js"></script>',
    ),
  ],
  [
    'login with hCaptcha',
    200,
    page(
      'Log in',
      '<form><input type="password"><div class="h-captcha"></div></form><script src="https://js.hcaptcha.com/1/api.js"></script>',
    ),
  ],
  ['login with Turnstile', 200, page('Sign in', `<form><input type="password">${TURNSTILE}</form>`)],
  [
    'login that asks whether one is human',
    403,
    page('Log in', `<p>Please verify you are human.</p><form><input type="password">${TURNSTILE}</form>`),
  ],
  [
    'contact form with Turnstile',
    200,
    page(
      'Contact',
      `<p>Write to us. Verify you are human before you send.</p><form><textarea></textarea>${TURNSTILE}</form>`,
    ),
  ],
  ['newsletter with a captcha', 200, page('News', '<p>Please complete the captcha to subscribe.</p>')],
  [
    'article about Cloudflare',
    200,
    page(
      'How the Cloudflare challenge works',
      `${LONG}<p>The page sets <code>window._cf_chl_opt={cType:"managed"}</code> and says “Just a moment…”.</p>`,
    ),
  ],
  [
    'short article about 1020',
    200,
    page(
      'Cloudflare error 1020: access denied',
      '<p>The message “used Cloudflare to restrict access” means that a rule refused you. Checking your browser does not help.</p>',
    ),
  ],
  [
    'question about Incapsula',
    200,
    page('Request unsuccessful. What now?', `${LONG}<pre>Incapsula incident ID: 877000-123</pre>`),
  ],
  ['article about PerimeterX', 200, page('px-captcha explained', `${LONG}<pre>&lt;div id="px-captcha"&gt;</pre>`)],
  [
    'question about F5',
    200,
    page(
      'The requested URL was rejected',
      `${LONG}<blockquote>The requested URL was rejected. Please consult with your administrator.</blockquote>`,
    ),
  ],
  [
    'paper about bot detection',
    200,
    page('Are you a robot?', '<p>Bot detection, suspicious activity and human verification: a survey.</p>'),
  ],
  ['page behind Cloudflare', 200, page('Lamps', `<h1>Lamps</h1><p>Two lamps.</p>${JSD}`), cloudflare],
  ['not found behind Cloudflare', 404, page('Not found', `<h1>Not found</h1>${JSD}`), cloudflare],
  [
    'forbidden by the site behind Cloudflare',
    403,
    page('403 Forbidden', `<h1>Forbidden</h1><p>Members only.</p>${JSD}`),
    cloudflare,
  ],
  [
    'page with the tag of DataDome',
    200,
    page(
      'Tickets',
      '<h1>Tickets</h1>',
      '<script>!function(){window.ddjskey="1A";var s="https://js.datadome.co/tags.js"}()</script>',
    ),
    { 'x-datadome': 'protected' },
  ],
  [
    'page with the sensor of PerimeterX',
    200,
    page('Shoes', '<h1>Shoes</h1>', '<script>window._pxAppId="PXabc";var u="/abc/init.js"</script>'),
  ],
  [
    'shell with the sensor of Imperva',
    200,
    page(
      'App',
      '<div id="root"></div><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=2"></script>',
    ),
    { 'x-cdn': 'Imperva' },
  ],
  [
    'shell with the sensor of Kasada',
    200,
    page(
      'App',
      '<div id="app"></div><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/p.js"></script>',
    ),
  ],
  [
    'shell with the client of AWS WAF',
    200,
    page(
      'App',
      '<div id="root"></div><script src="https://1a.edge.sdk.awswaf.com/1a/challenge.js"></script><script>AwsWafIntegration.fetch("/api")</script>',
    ),
  ],
  [
    'shell with the script of F5',
    200,
    page('Bank', '<div id="root"></div>', '<script src="/TSPD/0875a5d4e1ab2000?type=9"></script>'),
  ],
  [
    'empty shell',
    200,
    page('App', '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>'),
  ],
  ['age gate', 200, page('Are you 18?', '<p>Please confirm you are an adult.</p>')],
  [
    'forbidden of nginx',
    403,
    '<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr><center>nginx</center></body></html>',
  ],
  [
    'forbidden of Apache',
    403,
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"><html><head><title>403 Forbidden</title></head><body><h1>Forbidden</h1><p>You don\'t have permission to access this resource.</p><hr><address>Apache/2.4.52 (Ubuntu) Server at shop.example Port 443</address></body></html>',
  ],
  [
    'forbidden of IIS',
    403,
    page(
      '403 - Forbidden: Access is denied.',
      '<h1>Server Error</h1><h2>403 - Forbidden: Access is denied.</h2><h3>You do not have permission to view this directory or page.</h3>',
    ),
  ],
  [
    'access denied of Drupal',
    403,
    page('Access denied | Club', '<h1>Access denied</h1><p>You are not authorized to access this page.</p>'),
  ],
  [
    'no access to a bucket',
    403,
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
    { 'content-type': 'application/xml', server: 'AmazonS3' },
  ],
  ['members only', 403, page('Members', '<p>This page is for members. Please log in to continue.</p>')],
  [
    'token of a form has expired',
    403,
    page('403 Forbidden', '<h1>Forbidden (403)</h1><p>CSRF verification failed. Request aborted.</p>'),
  ],
  ['not in your country', 403, page('Not available', '<p>This programme is not available in your region.</p>')],
  ['password wanted', 401, page('401', '<h1>Authorization required</h1>')],
  ['not found', 404, page('Not found', '<p>The page is gone. Are you a robot?</p>')],
  [
    'too many requests of nginx',
    429,
    '<html><head><title>429 Too Many Requests</title></head><body><h1>429 Too Many Requests</h1></body></html>',
  ],
  [
    'service unavailable',
    503,
    page('503 Service Temporarily Unavailable', '<h1>503 Service Temporarily Unavailable</h1>'),
  ],
  [
    'maintenance',
    503,
    page('Back soon', '<p>We are updating the shop. Please check again in an hour, and verify your order then.</p>'),
  ],
  [
    'error of the origin behind Cloudflare',
    502,
    page(
      'shop.example | 502: Bad gateway',
      '<h1>Bad gateway</h1><p>The web server reported a bad gateway error. Cloudflare Ray ID: 8f2a</p>',
    ),
    cloudflare,
  ],
  ['error of a server', 500, page('Error', '<h1>Internal Server Error</h1>')],
  [
    'long forum post with status 403',
    403,
    page('Thread', `${LONG}<p>I get “You have been blocked”. Verify you are human, it says.</p>`),
  ],
  ['data', 403, '{"error":"you have been blocked"}', { 'content-type': 'application/json' }],
];

export const BLOCK_PAGES: readonly WrittenBlock[] = BLOCKS.map(([vendor, name, status, html, headers]) => ({
  ...response(name, status, html, headers),
  vendor,
}));

export const NORMAL_PAGES: readonly WrittenPage[] = NORMAL.map(([name, status, html, headers]) =>
  response(name, status, html, headers),
);
