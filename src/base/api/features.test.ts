import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceFault, type Deployment, FEATURE_MATRIX, FEATURES, resolveFeatures } from './features.ts'

const DEPLOYMENTS: readonly Deployment[] = ['cloud', 'client-hosted', 'air-gapped']

test('without a choice, only search is on among the configurable features', () => {
  for (const deployment of DEPLOYMENTS) {
    const resolved = resolveFeatures(deployment)
    for (const feature of FEATURES) {
      const availability = FEATURE_MATRIX[feature][deployment]
      const isOn = availability === 'yes' || (availability === 'configurable' && feature === 'search')
      assert.equal(resolved[feature], isOn, `${feature} ${deployment}`)
    }
  }
})

test('bundled search is on in every deployment, and an air-gapped one has no other search', () => {
  const searchOf = (search: boolean | 'bundled') =>
    DEPLOYMENTS.map((deployment) => resolveFeatures(deployment, { search }).search)
  assert.deepEqual(searchOf('bundled'), [true, true, true])
  assert.deepEqual(searchOf(true), [true, true, false])
  assert.deepEqual(searchOf(false), [true, false, false])
})

test('rejects a choice that the deployment does not support and lists the supported ones', () => {
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
