import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redirectFor } from './redirects.ts'

const rules = [
  { source: '/old', destination: '/new', isPermanent: true },
  { source: '/docs/:slug*', destination: '/guides/:slug*', isPermanent: true },
  { source: '/docs/api/*', destination: 'https://api.example.com/*', isPermanent: false },
  { source: '/same', destination: '/same', isPermanent: true },
]

test('an exact source redirects to its destination, with or without a trailing slash', () => {
  assert.deepEqual(redirectFor(rules, '/old/'), { destination: '/new', isPermanent: true })
})

test('the longest wildcard wins and carries over the rest of the path', () => {
  assert.deepEqual(redirectFor(rules, '/docs/a/b'), { destination: '/guides/a/b', isPermanent: true })
  assert.deepEqual(redirectFor(rules, '/docs/api/v1/x'), {
    destination: 'https://api.example.com/v1/x',
    isPermanent: false,
  })
})

test('a captured rest cannot inject replacement patterns or raw control characters', () => {
  assert.equal(redirectFor(rules, '/docs/$&\r\nx')?.destination, '/guides/$&%0D%0Ax')
})

test('a captured rest cannot redirect to another host', () => {
  const rule = [{ source: '/old/*', destination: '/*', isPermanent: true }]
  assert.equal(redirectFor(rule, '/old//evil.example/x')?.destination, '/evil.example/x')
})

test('does not redirect a path without a rule, or by a rule that points to itself', () => {
  assert.equal(redirectFor(rules, '/guides/a'), null)
  assert.equal(redirectFor(rules, '/same'), null)
})
