import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddressAllowed, parseAllowList } from './allow-list.ts'

test('normalizes and deduplicates IPv4 and IPv6 addresses and ranges', () => {
  const parsed = parseAllowList([
    '203.0.113.7',
    ' 203.0.113.7/32',
    '10.0.0.0/8',
    '2001:DB8:0:0::/32',
    '2001:db8::/32',
  ])
  assert.deepEqual(parsed, { entries: ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32'], faults: [] })
})

test('rejects entries that would allow every address', () => {
  for (const entry of [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/0',
    '0.0.0.0',
    '::',
    '::ffff:0:0/96',
    '::ffff:0.0.0.0/96',
  ]) {
    const { entries, faults } = parseAllowList([entry])
    assert.deepEqual(entries, [], entry)
    assert.equal(faults.length, 1, entry)
  }
})

test('rejects entries that are neither an address nor a range', () => {
  const wrong = [
    '',
    '*',
    'office',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.1/33',
    '::1/129',
    '10.0.0.1/',
    '010.0.0.1',
    'fe80::1%eth0',
    '10.0.0.1/-1',
    '10.0.0.0/8/8',
  ]
  for (const entry of wrong) assert.equal(parseAllowList([entry]).faults.length, 1, entry)
  assert.equal(parseAllowList(wrong).faults.length, wrong.length)
})

test('rejects an allow-list of 101 entries', () => {
  const many = Array.from({ length: 101 }, (_, index) => `10.0.0.${index}`)
  assert.equal(parseAllowList(many).faults.length, 1)
})

test('an empty list allows every address, any other list only its own', () => {
  assert.ok(isAddressAllowed([], '203.0.113.7'))
  const list = ['203.0.113.7', '10.0.0.0/8', '2001:db8::/32']
  for (const address of [
    '203.0.113.7',
    '10.255.0.1',
    '::ffff:10.0.0.1',
    '2001:db8:ffff::1',
    '2001:DB8::1%eth0',
  ]) {
    assert.ok(isAddressAllowed(list, address), address)
  }
  for (const address of ['203.0.113.8', '11.0.0.1', '::ffff:11.0.0.1', '2001:db9::1', '::1', '', 'unknown']) {
    assert.ok(!isAddressAllowed(list, address), address)
  }
})
