import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUndefinedName, hasFallback } from './undefined-name.ts'

test('detects a fallback only where the expression tests the name first', () => {
  for (const source of [
    'verb ?? "is"',
    'a + verb||b',
    'verb ? 1 : 2',
    '!x && (verb   && y)',
    'verb?.name',
    '$verb + verb ?? 1',
  ])
    assert.equal(hasFallback(source, 'verb'), true, source)
  for (const source of ['verb', 'verb + 1', 'adverb ?? 1', 'x.verb ?? 1', 'verbs ?? 1', ''])
    assert.equal(hasFallback(source, 'verb'), false, source)
})

test('returns an undefined name only for a matching ReferenceError', () => {
  assert.equal(findUndefinedName(new ReferenceError('verb is not defined')), 'verb')
  assert.equal(findUndefinedName(new TypeError('verb is not defined')), null)
  assert.equal(findUndefinedName(new ReferenceError('Cannot access before initialization')), null)
})
