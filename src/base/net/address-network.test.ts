import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkPrefix } from './address-network.ts'

test('an IPv4 address and its IPv6-mapped form share one network prefix', () => {
  assert.equal(networkPrefix('203.0.113.7'), '203.0.113.7')
  assert.equal(networkPrefix('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(networkPrefix('::FFFF:203.0.113.7'), '203.0.113.7')
})

test('addresses of one IPv6 /64 network share a prefix in any notation', () => {
  const network = networkPrefix('2001:db8:0:1::1')
  for (const same of ['2001:DB8:0:1::2', '2001:0db8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1:a::'])
    assert.equal(networkPrefix(same), network, same)
  for (const other of ['2001:db8:0:2::1', '2001:db8:1:1::1', '2001:db8::1'])
    assert.notEqual(networkPrefix(other), network, other)
  assert.equal(networkPrefix('fe80::1%eth0'), networkPrefix('fe80::2'))
  assert.notEqual(networkPrefix('::1'), networkPrefix('1::'))
})

test('text that is not an address is its own network prefix', () => {
  assert.equal(networkPrefix('unix'), 'unix')
  assert.equal(networkPrefix(''), '')
})
