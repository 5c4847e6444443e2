import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createApiKeyText, hashApiKey, isApiKeyText } from './api-key-text.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('every key has the same format and a valid checksum', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const text = createApiKeyText('admin', random)
      assert.match(text, /^oct_[0-9A-Za-z]{49}$/)
      assert.ok(isApiKeyText(text))
    }),
  )
})

test('the smallest and the largest secret have keys of the same length', () => {
  const smallest = createApiKeyText('admin', new Uint8Array(32))
  const largest = createApiKeyText('admin', new Uint8Array(32).fill(255))
  assert.equal(smallest.length, largest.length)
  assert.ok(smallest.startsWith('oct_0000000000'))
})

test('different secrets have different keys', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const isSame = Buffer.compare(one, other) === 0
      assert.equal(createApiKeyText('admin', one) === createApiKeyText('admin', other), isSame)
    }),
  )
})

test('rejects a key with one character changed', () => {
  const digit = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(bytes, fc.integer({ min: 4, max: 52 }), digit, (random, at, changed) => {
      const text = createApiKeyText('admin', random)
      fc.pre(text[at] !== changed)
      assert.ok(!isApiKeyText(text.slice(0, at) + changed + text.slice(at + 1)))
    }),
  )
})

test('rejects text that only resembles a key', () => {
  const text = createApiKeyText()
  for (const other of [
    '',
    'oct_',
    text.slice(4),
    `${text}a`,
    ` ${text}`,
    `${text}\n`,
    text.replace('oct', 'OCT'),
  ]) {
    assert.ok(!isApiKeyText(other), JSON.stringify(other))
  }
})

test('stores the SHA-256 hash of the whole key', () => {
  assert.equal(hashApiKey('abc').toString('hex').slice(0, 16), 'ba7816bf8f01cfea')
})

test('an assistant key has the prefix oct_ast_, which begins with that of admin keys', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const text = createApiKeyText('assistant', random)
      assert.match(text, /^oct_ast_[0-9A-Za-z]{49}$/)
      assert.ok(isApiKeyText(text))
      assert.ok(!isApiKeyText(text.replace('oct_ast_', 'oct_ast')))
      assert.ok(!isApiKeyText(text.replace('oct_ast_', 'ast_')))
    }),
  )
})
