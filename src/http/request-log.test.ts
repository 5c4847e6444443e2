import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safePath } from './request-log.ts'

test('a path is logged without its query', () => {
  assert.equal(safePath('/a/b'), '/a/b')
  assert.equal(safePath('/a?limit=5&cursor=oct_secret'), '/a')
})

test('removes the token of a review from its logged path', () => {
  assert.equal(safePath('/reviews/aj_1/secret'), '/reviews/aj_1/…')
  assert.equal(safePath('/hooks/automations/aut_1/secret'), '/hooks/automations/aut_1/…')
  assert.equal(safePath('/reviews/aj_1/secret/after/a/b.html'), '/reviews/aj_1/…/after/a/b.html')
})

test('truncates a long path', () => {
  assert.equal(safePath(`/${'x'.repeat(5000)}`).length, 500)
})
