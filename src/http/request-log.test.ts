import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeTarget } from './request-log.ts'

test('a target is shown with the values of harmless parameters only', () => {
  assert.equal(safeTarget('/a/b'), '/a/b')
  assert.equal(safeTarget('/a?'), '/a')
  assert.equal(safeTarget('/a?limit=5&cursor=x%20y&key=oct_x'), '/a?limit=5&cursor=x%20y&key=…')
  assert.equal(safeTarget('/o?expires=1&signature=abc'), '/o?expires=…&signature=…')
})

test('the token of a review is left out of its path', () => {
  assert.equal(safeTarget('/reviews/aj_1/secret'), '/reviews/aj_1/…')
  assert.equal(safeTarget('/hooks/automations/aut_1/secret'), '/hooks/automations/aut_1/…')
  assert.equal(safeTarget('/reviews/aj_1/secret/after/a/b.html'), '/reviews/aj_1/…/after/a/b.html')
})

test('a target cannot write a second line or a long one', () => {
  const shown = safeTarget(`/a?li%0Amit=1&limit=%0A${'x'.repeat(5000)}`)
  assert.equal(shown.includes('\n'), false)
  assert.ok(shown.length < 300)
})
