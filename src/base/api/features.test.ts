import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceFault, type Deployment, FEATURE_MATRIX, FEATURES, resolveFeatures } from './features.ts'

const DEPLOYMENTS: readonly Deployment[] = ['cloud', 'client-hosted', 'air-gapped']

test('what was not chosen is as the table says: of what is configurable only search is on', () => {
  for (const deployment of DEPLOYMENTS) {
    const resolved = resolveFeatures(deployment)
    for (const feature of FEATURES) {
      const availability = FEATURE_MATRIX[feature][deployment]
      const isOn = availability === 'yes' || (availability === 'configurable' && feature === 'search')
      assert.equal(resolved[feature], isOn, `${feature} ${deployment}`)
    }
  }
})

test('search is in every bundle that is asked to bring it along, and in no other closed one', () => {
  const searchOf = (search: boolean | 'bundled') =>
    DEPLOYMENTS.map((deployment) => resolveFeatures(deployment, { search }).search)
  assert.deepEqual(searchOf('bundled'), [true, true, true])
  assert.deepEqual(searchOf(true), [true, true, false])
  assert.deepEqual(searchOf(false), [true, false, false])
})

test('a choice that the deployment does not have is refused with those that it has', () => {
  assert.equal(choiceFault('search', 'bundled', 'air-gapped'), null)
  assert.equal(choiceFault('search', false, 'air-gapped'), null)
  assert.equal(choiceFault('search', 'bundled', 'client-hosted'), null)
  assert.equal(
    choiceFault('search', true, 'air-gapped')?.message,
    '`/features/search` cannot be set to true for air-gapped; these can: `playground`, `search: bundled`',
  )
  assert.match(
    choiceFault('analytics', true, 'air-gapped')?.message ?? '',
    /cannot be chosen for air-gapped; /,
  )
})
