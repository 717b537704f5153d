/**
 * Closes every way out of Chromium except the proxy of each context, where the egress guard decides: no name is resolved
 * and no address connected to but 127.0.0.1, where these proxies are; no UDP (WebRTC, QUIC, DNS); a proxy that does not
 * exist for what belongs to no context; and no calls of its own.
 */
export const EGRESS_FLAGS: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-quic',
  '--disable-sync',
  // The headless shell knows the first of the two, the whole browser the second.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--no-pings',
  '--proxy-server=http://nowhere.invalid:1',
  // Without this, Chromium would reach the addresses of this machine directly.
  '--proxy-bypass-list=<-loopback>',
];
