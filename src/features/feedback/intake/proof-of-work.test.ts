import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createChallenge, isProofValid, leadingZeroBits } from './proof-of-work.ts'

const entry = { siteId: 'site_a', clientId: 'client-of-this-test' }
const challenge = createChallenge('secret', { ...entry, bits: 8 }, 1000)

function nonceWith(isRight: (bits: number) => boolean): string {
  for (let nonce = 0; ; nonce++) {
    const digest = createHash('sha256').update(`${challenge}:${nonce}`).digest()
    if (isRight(leadingZeroBits(digest))) return String(nonce)
  }
}

const right = nonceWith((bits) => bits >= 8)

test('accepts a nonce with enough zero bits and rejects one that is a bit short', () => {
  assert.ok(isProofValid('secret', { challenge, nonce: right }, entry, 1000))
  assert.ok(!isProofValid('secret', { challenge, nonce: nonceWith((bits) => bits === 7) }, entry, 1000))
})

test('a challenge is valid for two minutes, for its own site, client and secret only', () => {
  const proof = { challenge, nonce: right }
  assert.ok(isProofValid('secret', proof, entry, 121_000))
  assert.ok(!isProofValid('secret', proof, entry, 121_001))
  assert.ok(!isProofValid('secret', proof, { ...entry, siteId: 'site_b' }, 1000))
  assert.ok(!isProofValid('secret', proof, { ...entry, clientId: 'another-client-id' }, 1000))
  assert.ok(!isProofValid('other secret', proof, entry, 1000))
})

test('rejects a challenge altered to require fewer bits', () => {
  const bytes = Buffer.from(challenge, 'base64url')
  const eased = Buffer.concat([
    bytes.subarray(0, 16),
    Buffer.from(bytes.subarray(16).toString().replace(',8,', ',0,')),
  ])
  assert.ok(!isProofValid('secret', { challenge: eased.toString('base64url'), nonce: '0' }, entry, 1000))
  for (const text of ['', 'AAAA', '*', `${challenge}=`])
    assert.ok(!isProofValid('secret', { challenge: text, nonce: right }, entry, 1000))
})

test('counts leading zero bits from the left', () => {
  assert.deepEqual(
    [[0x80], [0x01], [0x00, 0x80], [0x00, 0x00, 0x1f], [0x00, 0x00]].map((bytes) =>
      leadingZeroBits(Uint8Array.from(bytes)),
    ),
    [0, 7, 8, 19, 16],
  )
})
