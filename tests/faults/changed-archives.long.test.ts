/** Repeats changed-archives.test.ts with enough cases to hit rare ones: 10,000 per operation in a whole run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyChanged, readChanged, verifyChanged } from '../kit/archive-doors.ts'
import { signedArchive } from '../kit/changed-archives.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'

const whole = await signedArchive()
const COUNT = IS_WHOLE ? 10_000 : 1000
const SEED = 1_000_000

test(`${COUNT} altered archives are rejected, or unpack to the signed files`, async (t) => {
  const outcome = await verifyChanged(whole, SEED, COUNT)
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.refused > COUNT / 2)
})

test(`${COUNT} altered archives are rejected, or read with their original content`, async (t) => {
  const outcome = await readChanged(whole, SEED, COUNT)
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.refused > COUNT / 2)
})

test(`${COUNT} altered deltas are rejected, or produce the archive they name`, async (t) => {
  const outcome = await applyChanged(t, SEED, COUNT)
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.refused > COUNT / 2)
})
