/** Feeds altered archives to the three operations that accept them: verify, apply, and reading for agents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyChanged, isProved, readChanged, verifyChanged } from '../kit/archive-doors.ts'
import { signedArchive, tamperedArchives } from '../kit/changed-archives.ts'

const whole = await signedArchive()
const COUNT = 150

test('no tampered archive verifies as signed', async () => {
  assert.equal(await isProved(whole.bytes, whole), true)
  for (const [name, archive] of tamperedArchives(whole))
    assert.equal(await isProved(archive, whole), false, name)
})

test(`${COUNT} altered archives are rejected, or unpack to the signed files`, async () => {
  const { refused } = await verifyChanged(whole, 1, COUNT)
  assert.ok(refused > COUNT / 2, `${refused} refused`)
})

test(`${COUNT} altered archives are rejected, or read with their original content`, async () => {
  const { refused } = await readChanged(whole, 1, COUNT)
  assert.ok(refused > COUNT / 2, `${refused} refused`)
})

test(`${COUNT} altered deltas are rejected, or produce the archive they name`, async (t) => {
  const { refused } = await applyChanged(t, 1, COUNT)
  assert.ok(refused > COUNT / 2, `${refused} refused`)
})
