import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirectFor } from './redirects.ts'

const rules = [
  { source: '/old', destination: '/new', isPermanent: true },
  { source: '/docs/:slug*', destination: '/guides/:slug*', isPermanent: true },
  { source: '/docs/api/*', destination: 'https://api.example.com/*', isPermanent: false },
  { source: '/same', destination: '/same', isPermanent: true },
]

test('an exact source leads to its destination, with or without a trailing slash', () => {
  assert.deepEqual(redirectFor(rules, '/old/'), { destination: '/new', isPermanent: true })
})

test('the longest wildcard wins and carries the rest over', () => {
  assert.deepEqual(redirectFor(rules, '/docs/a/b'), { destination: '/guides/a/b', isPermanent: true })
  assert.deepEqual(redirectFor(rules, '/docs/api/v1/x'), {
    destination: 'https://api.example.com/v1/x',
    isPermanent: false,
  })
})

test('a captured rest cannot smuggle replacement patterns or raw characters into the address', () => {
  assert.equal(redirectFor(rules, '/docs/$&\r\nx')?.destination, '/guides/$&%0D%0Ax')
})

test('a captured rest cannot lead to another host', () => {
  const rule = [{ source: '/old/*', destination: '/*', isPermanent: true }]
  assert.equal(redirectFor(rule, '/old//evil.example/x')?.destination, '/evil.example/x')
})

test('a path without a rule, and a rule that leads to itself, do not redirect', () => {
  assert.equal(redirectFor(rules, '/guides/a'), null)
  assert.equal(redirectFor(rules, '/same'), null)
})
