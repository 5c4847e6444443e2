/** Archives that were changed on the way, at the three doors that take them: verify, apply, and reading for agents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyChanged, isProved, readChanged, verifyChanged } from '../kit/archive-doors.ts'
import { signedArchive, tamperedArchives } from '../kit/changed-archives.ts'

const whole = await signedArchive()
const COUNT = 150

test('no archive that unpacks to something else counts as signed', async () => {
  assert.equal(await isProved(whole.bytes, whole), true)
  for (const [name, archive] of tamperedArchives(whole))
    assert.equal(await isProved(archive, whole), false, name)
})

test(`${COUNT} changed archives are refused, or unpack to what was signed`, async () => {
  const { refused } = await verifyChanged(whole, 1, COUNT)
  assert.ok(refused > COUNT / 2, `${refused} refused`)
})

test(`${COUNT} changed archives are refused, or read as they were written`, async () => {
  const { refused } = await readChanged(whole, 1, COUNT)
  assert.ok(refused > COUNT / 2, `${refused} refused`)
})

test(`${COUNT} changed deltas are refused, or make what they name`, async (t) => {
  const { refused } = await applyChanged(t, 1, COUNT)
  assert.ok(refused > COUNT / 2, `${refused} refused`)
})
