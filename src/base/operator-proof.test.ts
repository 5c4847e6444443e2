import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProofCheck, isSigned, signRequest } from './operator-proof.ts'

const request = { method: 'POST', target: '/internal/a?b=1', port: 4000 }
const now = Date.parse('2026-01-01T00:00:00Z')

test('a signature is accepted once, and only for the request it signs', () => {
  const check = createProofCheck('key')
  const proof = signRequest('key', request, now)
  assert.ok(isSigned(proof))
  for (const other of [{ method: 'GET' }, { target: '/internal/a' }, { port: 4001 }])
    assert.equal(check(proof, { ...request, ...other }, now), false)
  assert.equal(createProofCheck('another key')(proof, request, now), false)
  assert.equal(check(proof, request, now), true)
  assert.equal(check(proof, request, now), false, 'a replay')
  assert.equal(check(signRequest('key', request, now), request, now), true, 'the same request signed anew')
})

test('a signature is valid for half a minute', () => {
  const proof = signRequest('key', request, now)
  const at = (seconds: number) => createProofCheck('key')(proof, request, now + seconds * 1000)
  assert.deepEqual([at(-31), at(-29), at(29), at(31)], [false, true, true, false])
})

test('rejects malformed signatures', () => {
  const check = createProofCheck('key')
  const proof = signRequest('key', request, now)
  for (const text of [
    '',
    'Octavo-Operator',
    `${proof}A`,
    proof.slice(0, -1),
    proof.replace('.', ':'),
    'Bearer oct_x',
  ])
    assert.equal(check(text, request, now), false, text)
})
