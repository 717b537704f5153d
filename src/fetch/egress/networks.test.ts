import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError } from '../../config.ts';
import { parseNetworks } from './networks.ts';

describe('networks', () => {
  test('include their first and last address, but not the neighbours', () => {
    const networks = parseNetworks(['10.1.0.0/16', ' fd12:3456::/32 '], 'TRAWL_ALLOW_NETWORKS');
    for (const inside of ['10.1.0.0', '10.1.255.255', 'fd12:3456::1', 'fd12:3456:ffff::']) {
      assert.equal(networks.include(inside), true, inside);
    }
    for (const outside of ['10.0.255.255', '10.2.0.0', 'fd12:3455:ffff::', 'fd12:3457::', '::1']) {
      assert.equal(networks.include(outside), false, outside);
    }
  });

  test('written as a bare address include only that address', () => {
    const networks = parseNetworks(['127.0.0.1', '::1'], 'TRAWL_ALLOW_NETWORKS');
    assert.equal(networks.include('127.0.0.1'), true);
    assert.equal(networks.include('127.0.0.2'), false);
    assert.equal(networks.include('::1'), true);
    assert.equal(networks.include('::2'), false);
  });

  test('of IPv4 include IPv4-mapped addresses, but not those behind a translator', () => {
    const networks = parseNetworks(['10.0.0.0/8'], 'TRAWL_ALLOW_NETWORKS');
    assert.equal(networks.include('::ffff:10.0.0.1'), true);
    assert.equal(networks.include('64:ff9b::10.0.0.1'), false);
    assert.equal(parseNetworks(['64:ff9b::/96'], 'TRAWL_ALLOW_NETWORKS').include('64:ff9b::10.0.0.1'), true);
  });

  test('that are IPv4-mapped are the IPv4 networks they contain', () => {
    const networks = parseNetworks(['::ffff:10.0.0.0/104', '::ffff:192.0.2.1'], 'TRAWL_ALLOW_NETWORKS');
    for (const inside of ['10.255.0.1', '::ffff:10.0.0.1', '192.0.2.1'])
      assert.equal(networks.include(inside), true, inside);
    for (const outside of ['11.0.0.1', '192.0.2.2', '::1']) assert.equal(networks.include(outside), false, outside);
  });

  test('include everything if their prefix length is zero', () => {
    assert.equal(parseNetworks(['0.0.0.0/0'], 'TRAWL_ALLOW_NETWORKS').include('127.0.0.1'), true);
    assert.equal(parseNetworks(['0.0.0.0/0'], 'TRAWL_ALLOW_NETWORKS').include('::1'), false);
    assert.equal(parseNetworks([], 'TRAWL_ALLOW_NETWORKS').include('10.0.0.1'), false);
  });

  test('that are invalid are named in the error', () => {
    for (const entry of [
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0/8',
      '010.0.0.0/8',
      '10.0.0.0/8/8',
      '::/129',
      'intranet',
      '',
      '10.0.0.0/-1',
      '10.0.0.0/1e1',
    ]) {
      assert.throws(
        () => parseNetworks(['127.0.0.1', entry], 'TRAWL_ALLOW_NETWORKS'),
        (error) => error instanceof ConfigError && error.message.includes(`TRAWL_ALLOW_NETWORKS: "${entry}"`),
        entry,
      );
    }
  });
});
