import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretBox } from './secret-box.ts'

const box = createSecretBox('the secret of a node', 'tests')
const text = Buffer.from('a signing secret')

test('a sealed value opens in the same context and does not reveal its content', () => {
  const sealed = box.seal(text, 'whk_1')
  assert.deepEqual(createSecretBox('the secret of a node', 'tests').open(sealed, 'whk_1'), text)
  assert.equal(sealed.includes(text), false)
  assert.notDeepEqual(box.seal(text, 'whk_1'), sealed)
})

test('does not open with another context, secret or purpose, or with any byte changed', () => {
  const sealed = box.seal(text, 'whk_1')
  assert.equal(box.open(sealed, 'whk_2'), null)
  assert.equal(createSecretBox('another secret', 'tests').open(sealed, 'whk_1'), null)
  assert.equal(createSecretBox('the secret of a node', 'else').open(sealed, 'whk_1'), null)
  for (let index = 0; index < sealed.length; index++) {
    const altered = Buffer.from(sealed)
    altered[index] = (altered[index] ?? 0) ^ 1
    assert.equal(box.open(altered, 'whk_1'), null)
  }
  assert.equal(box.open(sealed.subarray(0, 20), 'whk_1'), null)
})
