import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashAddress } from './address-hash.ts'

const day = new Date('2026-11-21T09:30:00Z')
const hash = (address: string, siteId = 'site_a', now = day, secret = 'secret') =>
  hashAddress(secret, siteId, address, now).toString('hex')

test('an address has its own hash per site, day and secret', () => {
  const first = hash('203.0.113.7')
  assert.match(first, /^[0-9a-f]{32}$/)
  assert.equal(hash('203.0.113.7', 'site_a', new Date('2026-11-21T23:59:59Z')), first)
  const others = [
    hash('203.0.113.8'),
    hash('203.0.113.7', 'site_b'),
    hash('203.0.113.7', 'site_a', new Date('2026-11-22T00:00:00Z')),
    hash('203.0.113.7', 'site_a', day, 'other secret'),
  ]
  assert.equal(new Set([first, ...others]).size, 5)
})

test('spellings of one address have the same hash', () => {
  assert.equal(hash('::ffff:203.0.113.7'), hash('203.0.113.7'))
  assert.equal(hash('2001:DB8:0:1::1'), hash('2001:0db8:0000:0001:0:0:0:1'))
  assert.equal(hash('2001:db8:0:1::1'), hash('2001:db8:0:1:ffff:ffff::'))
  assert.equal(hash('fe80::1%eth0'), hash('fe80::1'))
})

test('addresses of different IPv6 networks have different hashes', () => {
  assert.notEqual(hash('2001:db8:0:1::1'), hash('2001:db8:0:2::1'))
  assert.notEqual(hash('2001:db8::1'), hash('2001:db8:1::1'))
  assert.notEqual(hash('::1'), hash('1::'))
})
