import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { specialAddressKind } from './address-kind.ts';

/** The first and last address of each range, and its description. */
const SPECIAL: readonly (readonly [first: string, last: string, kind: string])[] = [
  ['0.0.0.0', '0.255.255.255', 'an unspecified address'],
  ['10.0.0.0', '10.255.255.255', 'a private address'],
  ['100.64.0.0', '100.127.255.255', 'a carrier-grade NAT address'],
  ['127.0.0.0', '127.255.255.255', 'a loopback address'],
  ['169.254.0.0', '169.254.255.255', 'a link-local address'],
  ['172.16.0.0', '172.31.255.255', 'a private address'],
  ['192.0.0.0', '192.0.0.255', 'a reserved address'],
  ['192.0.2.0', '192.0.2.255', 'a documentation address'],
  ['192.88.99.0', '192.88.99.255', 'a reserved address'],
  ['192.168.0.0', '192.168.255.255', 'a private address'],
  ['198.18.0.0', '198.19.255.255', 'a benchmark address'],
  ['198.51.100.0', '198.51.100.255', 'a documentation address'],
  ['203.0.113.0', '203.0.113.255', 'a documentation address'],
  ['224.0.0.0', '239.255.255.255', 'a multicast address'],
  ['240.0.0.0', '255.255.255.254', 'a reserved address'],
  ['255.255.255.255', '255.255.255.255', 'the broadcast address'],
  ['::', '::', 'an unspecified address'],
  ['::1', '::1', 'a loopback address'],
  ['::2', '::ffff:ffff', 'an IPv4-compatible address'],
  ['::127.0.0.1', '::8.8.8.8', 'an IPv4-compatible address'],
  ['::ffff:0:7f00:1', '::ffff:0:808:808', 'an IPv4-translated address'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', 'a local NAT64 address'],
  ['100::', '100::ffff:ffff:ffff:ffff', 'a discard-only address'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', 'a Teredo address'],
  ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', 'a benchmark address'],
  ['2001:10::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', 'a reserved address'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', 'a documentation address'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a 6to4 address'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'a documentation address'],
  ['5f00::', '5f00:ffff::', 'a reserved address'],
  ['4000::', 'f000::', 'a reserved address'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a private (unique local) address'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a link-local address'],
  ['fe80::1%eth0', 'fe80::1%1', 'a link-local address'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a private (site-local) address'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'a multicast address'],
];

/** Neighbours of the ranges above, and well-known public hosts. */
const PUBLIC = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2003::1',
  '2606:4700:4700::1111',
  '3ffe:ffff::1',
  '3fff:1000::1',
];

describe('the kind of an address', () => {
  for (const [first, last, kind] of SPECIAL) {
    test(`from ${first} to ${last} is ${kind}`, () => {
      assert.equal(specialAddressKind(first), kind);
      assert.equal(specialAddressKind(last), kind);
    });
  }

  for (const address of PUBLIC) {
    test(`of ${address} is public`, () => assert.equal(specialAddressKind(address), undefined));
  }

  for (const address of [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
  ]) {
    test(`of ${address} is cloud metadata`, () => {
      assert.equal(specialAddressKind(address), 'a cloud metadata address');
    });
  }

  test('of an IPv4-mapped address is that of its IPv4 address', () => {
    assert.equal(specialAddressKind('::ffff:127.0.0.1'), 'a loopback address (IPv4-mapped)');
    assert.equal(specialAddressKind('::ffff:a9fe:a9fe'), 'a cloud metadata address (IPv4-mapped)');
    assert.equal(specialAddressKind('::ffff:8.8.8.8'), undefined);
  });

  test('of a NAT64 address is that of the IPv4 address behind it', () => {
    assert.equal(specialAddressKind('64:ff9b::10.0.0.1'), 'a private address (behind NAT64)');
    assert.equal(specialAddressKind('64:ff9b::7f00:1'), 'a loopback address (behind NAT64)');
    assert.equal(specialAddressKind('64:ff9b::8.8.8.8'), undefined);
  });

  test('of text that is not an address is not public', () => {
    for (const text of ['', 'localhost', '0x7f000001', '2130706433', '127.1', '0177.0.0.1', '[::1]', '1.2.3.4/32']) {
      assert.equal(specialAddressKind(text), 'not an IP address', text);
    }
  });
});
