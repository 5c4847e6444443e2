import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIconSets } from './icon-sets.ts'

test('an icon in a shape that no set has falls back to the icon instead of the empty shape', () => {
  const { find } = createIconSets()
  const drawn = (name: string) => find('fontawesome', name, null)?.content
  assert.equal(drawn('circle-bicycle'), drawn('bicycle'))
  assert.equal(drawn('square-rocket'), drawn('rocket'))
  assert.equal(drawn('circle-dollar'), drawn('circle-dollar-sign'))
  assert.equal(drawn('circle-arrow-up-bold'), drawn('circle-arrow-up'))
  assert.equal(drawn('circle-nothing-at-all'), drawn('circle'))
  assert.equal(find('fontawesome', 'circle-bicycle', null)?.isExact, false)
  assert.notEqual(drawn('bicycle'), undefined)
})
