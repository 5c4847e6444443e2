/** As changed-archives.test.ts, with so many that what is rare is among them: 10,000 for each door in a whole run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyChanged, readChanged, verifyChanged } from '../kit/archive-doors.ts'
import { signedArchive } from '../kit/changed-archives.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'

const whole = await signedArchive()
const COUNT = IS_WHOLE ? 10_000 : 1000
const SEED = 1_000_000

test(`${COUNT} changed archives are refused, or unpack to what was signed`, async (t) => {
  const outcome = await verifyChanged(whole, SEED, COUNT)
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.refused > COUNT / 2)
})

test(`${COUNT} changed archives are refused, or read as they were written`, async (t) => {
  const outcome = await readChanged(whole, SEED, COUNT)
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.refused > COUNT / 2)
})

test(`${COUNT} changed deltas are refused, or make what they name`, async (t) => {
  const outcome = await applyChanged(t, SEED, COUNT)
  t.diagnostic(JSON.stringify(outcome))
  assert.ok(outcome.refused > COUNT / 2)
})
