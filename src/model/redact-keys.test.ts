import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactKeyPieces, redactWholeKeys } from './redact-keys.ts'

const KEY = 'sk-proj-Q7w8E9r0T1y2U3i4'

test('redacts a key from an error message in full, in fragments and in Base64', () => {
  const said = `Incorrect key ${KEY} (${KEY.slice(0, 10)}…${KEY.slice(-9)}), ${Buffer.from(KEY).toString('base64')}`
  const shown = redactKeyPieces(said, [KEY, 'other'])
  assert.equal(shown, 'Incorrect key [key] ([key]…[key]), [key]')
})

test('keeps short key fragments and unrelated words', () => {
  assert.equal(redactKeyPieces('sk-proj is a prefix', [KEY]), 'sk-proj is a prefix')
  assert.equal(redactKeyPieces('nothing to hide', ['', 'a', KEY]), 'nothing to hide')
})

test('keeps the model name even where it shares characters with the key', () => {
  const key = 'harbour-of-keys-7421'
  const said = `no model harbour-1 for ${key} (harbour-of)`
  assert.equal(redactKeyPieces(said, [key], ['harbour-1']), 'no model harbour-1 for [key] (h[key])')
  assert.equal(redactKeyPieces(said, [key]), 'no model [key]1 for [key] ([key])')
})

test('redacts a short key only as a whole word', () => {
  assert.equal(redactKeyPieces('no model ollamas for "ollama"', ['ollama']), 'no model ollamas for "[key]"')
})

test('redacts only whole keys from model responses and keeps key prefixes in pages', () => {
  const page = `Keys begin with ${KEY.slice(0, 12)}.`
  assert.equal(redactWholeKeys(page, [KEY]), page)
  assert.equal(redactWholeKeys(`Use ${KEY}!`, [KEY]), 'Use [key]!')
  assert.equal(redactWholeKeys('Start ollama first.', ['ollama']), 'Start ollama first.')
})
