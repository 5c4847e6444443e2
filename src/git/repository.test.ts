import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRepository } from './repository.ts'

test('keeps a valid address unchanged', () => {
  for (const [address, protocol] of [
    ['https://git.example.com/docs/site.git', 'https'],
    ['https://git.example.com:8443/docs', 'https'],
    ['ssh://git@git.example.com:2222/docs.git', 'ssh'],
    ['git@git.example.com:docs/site.git', 'ssh'],
    ['git.example.com:docs', 'ssh'],
  ] as const) {
    assert.deepEqual(parseRepository(address), { address, protocol, credentials: {} })
  }
})

test('moves user name and password from the address into the credentials', () => {
  const address = 'https://git.example.com/docs.git'
  const parsed = (text: string) => parseRepository(text).credentials
  assert.equal(parseRepository('https://me:p%40ss@git.example.com/docs.git').address, address)
  assert.deepEqual(parsed('https://me:p%40ss@git.example.com/docs.git'), { username: 'me', token: 'p@ss' })
  assert.deepEqual(parsed('https://tok@git.example.com/docs.git'), { token: 'tok' })
  const given = { credentials: { token: 'given' } }
  assert.deepEqual(parseRepository('https://git.example.com/x', given).credentials, { token: 'given' })
  const own = parseRepository('https://me:own@git.example.com/x', given).credentials
  assert.deepEqual(own, { username: 'me', token: 'own' }, 'the nearer one counts')
})

test('accepts folders and http only when they are allowed', () => {
  assert.throws(() => parseRepository('/srv/docs'), { reason: 'repository_invalid' })
  assert.throws(() => parseRepository('http://localhost/docs'), /not encrypted: use https/)
  assert.equal(parseRepository('/srv/my docs', { allowLocal: true }).protocol, 'file')
  assert.equal(parseRepository('http://localhost/docs', { allowHttp: true }).protocol, 'http')
})

test('rejects local paths, other transports and malformed hosts in any spelling', () => {
  for (const text of [
    'FILE:///srv/docs',
    'file:/srv/docs',
    'File:srv',
    '~/docs',
    './docs',
    '\\\\server\\docs',
    'C:\\docs',
    'c:/docs',
    'ext::sh -c id',
    'ext::sh',
    'fd::1',
    'git://git.example.com/x',
    'git+file:///srv',
    'docs',
    'ssh://-oProxyCommand=x/y',
    'ssh://git@%6cocalhost/x',
    'ssh://git@host%2f/x',
    'ssh://a@b@c/x',
    'ssh://git@host./x',
    '-x@host:y',
    'host.:x',
  ])
    assert.throws(() => parseRepository(text, { allowHttp: true }), { reason: 'repository_invalid' }, text)
  assert.equal(parseRepository('https://git.example.com./x').address, 'https://git.example.com/x')
})

test('the error does not contain the password', () => {
  assert.throws(
    () => parseRepository('http://me:secret@example.com/x'),
    (error: Error) => /http:\/\/example\.com\/x/.test(error.message) && !error.message.includes('secret'),
  )
})
