import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

test('addresses of the public internet are public', () => {
  for (const address of [
    '1.1.1.1',
    '9.9.9.9',
    '100.63.255.255',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])
    assert.equal(isPublicAddress(address), true, address)
})

test('private, local, shared, reserved and multicast addresses are not public', () => {
  const four = [
    '0.0.0.0',
    '0.1.2.3',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.19.0.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
  ]
  const six = [
    '::',
    '::1',
    'fe80::1',
    'febf::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1', // Teredo
    '2002:7f00:1::', // 6to4 of 127.0.0.1
    '100::1', // discard
  ]
  for (const address of [...four, ...six]) assert.equal(isPublicAddress(address), false, address)
})

test('an IPv4 address embedded in IPv6 is not public, whatever the IPv4 address', () => {
  for (const address of [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1', // NAT64
    '64:ff9b::808:808',
    '64:ff9b:1::1', // local-use NAT64
  ])
    assert.equal(isPublicAddress(address), false, address)
})

test('text that is not an address is not public', () => {
  for (const text of ['', 'example.com', '1.1.1', '0x7f000001', '2606:4700::1111%eth0', ' 1.1.1.1'])
    assert.equal(isPublicAddress(text), false, text)
})
