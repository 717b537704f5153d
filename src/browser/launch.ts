import type { Browser } from 'playwright-core';
import type { Chromium } from './find-chromium.ts';

/**
 * Chromium calls nobody on its own, opens no UDP (WebRTC, QUIC), and sends even requests to loopback through the proxy of
 * its context, where the egress guard decides.
 */
const FLAGS = [
  '--disable-blink-features=AutomationControlled',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--no-first-run',
  '--no-pings',
  '--proxy-bypass-list=<-loopback>',
];

/** Starts Chromium. The driver is loaded only now: a service that renders nothing is as small as before. */
export async function launchChromium({ path }: Chromium): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: path,
    args: FLAGS,
    chromiumSandbox: process.getuid?.() !== 0,
    // The service stops it in its own time, after the pages that are under way.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
