import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, passwordFaults, verifyPassword } from './password.ts'

test('a hash verifies its own password only', async () => {
  const hash = await hashPassword('a walk in the harbour')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await verifyPassword('a walk in the harbour', hash), true)
  assert.equal(await verifyPassword('a walk in the harbor', hash), false)
  assert.equal(await verifyPassword('a walk in the harbour', 'scrypt:something'), false)
})

test('hashing a password twice gives different hashes', async () => {
  assert.notEqual(await hashPassword('a walk in the harbour'), await hashPassword('a walk in the harbour'))
})

test('Unicode-equivalent spellings are the same password', async () => {
  const hash = await hashPassword('caf\u00e9 au lait, sans')
  assert.equal(await verifyPassword('cafe\u0301 au lait, sans', hash), true)
})

test('rejects easily guessed passwords', () => {
  for (const easy of [
    'short',
    'aaaaaaaaaaaaaaaa',
    'abcabcabcabcabc',
    'abcdefghijklmnop',
    '1234567890123',
    'Password123456',
    'qwertyuiop1234',
    'octavo-admin-2026',
    'changemechangeme',
  ]) {
    assert.notDeepEqual(passwordFaults(easy), [], easy)
  }
})

test('rejects a password made of the name and email address of its owner', () => {
  assert.notDeepEqual(passwordFaults('ada.lovelace1', ['Ada Lovelace', 'ada@example.com']), [])
})

test('accepts passphrases and generated passwords', () => {
  for (const fine of [
    'a walk in the harbour',
    'Xk7#pQ2!vLz9',
    'korrekt pferd batterie',
    '猫が窓から外をじっと見ている',
  ])
    assert.deepEqual(passwordFaults(fine, ['Ada Lovelace', 'ada@example.com']), [], fine)
})
