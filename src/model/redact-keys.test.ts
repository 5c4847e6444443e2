import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactKeyPieces, redactWholeKeys } from './redact-keys.ts'

const KEY = 'sk-proj-Q7w8E9r0T1y2U3i4'

test('a key is cut out of an error text, whole, in part, and in other writings', () => {
  const said = `Incorrect key ${KEY} (${KEY.slice(0, 10)}…${KEY.slice(-9)}), ${Buffer.from(KEY).toString('base64')}`
  const shown = redactKeyPieces(said, [KEY, 'other'])
  assert.equal(shown, 'Incorrect key [key] ([key]…[key]), [key]')
})

test('short pieces and other words stay', () => {
  assert.equal(redactKeyPieces('sk-proj is a prefix', [KEY]), 'sk-proj is a prefix')
  assert.equal(redactKeyPieces('nothing to hide', ['', 'a', KEY]), 'nothing to hide')
})

test('the name of the model stays, also where the key shares letters with it', () => {
  const key = 'harbour-of-keys-7421'
  const said = `no model harbour-1 for ${key} (harbour-of)`
  assert.equal(redactKeyPieces(said, [key], ['harbour-1']), 'no model harbour-1 for [key] (h[key])')
  assert.equal(redactKeyPieces(said, [key]), 'no model [key]1 for [key] ([key])')
})

test('a short key is cut out as a word of its own', () => {
  assert.equal(redactKeyPieces('no model ollamas for "ollama"', ['ollama']), 'no model ollamas for "[key]"')
})

test('out of an answer only whole keys are cut, so that pages about keys stay as they are', () => {
  const page = `Keys begin with ${KEY.slice(0, 12)}.`
  assert.equal(redactWholeKeys(page, [KEY]), page)
  assert.equal(redactWholeKeys(`Use ${KEY}!`, [KEY]), 'Use [key]!')
  assert.equal(redactWholeKeys('Start ollama first.', ['ollama']), 'Start ollama first.')
})
