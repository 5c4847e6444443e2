import assert from 'node:assert/strict'
import test from 'node:test'
import { resolveWidgets } from './widgets.ts'

const NONE = { thumbs: false, code: false, suggestEdit: false, raiseIssue: false }

test('a hosted site enables thumbs and code feedback by default', () => {
  assert.deepEqual(resolveWidgets('cloud', {}, {}), { ...NONE, thumbs: true, code: true })
  assert.deepEqual(resolveWidgets('cloud', {}, { thumbs: false, raiseIssue: true }), {
    ...NONE,
    code: true,
    raiseIssue: true,
  })
  assert.equal(resolveWidgets('cloud', { thumbs: true }, { thumbs: false }).thumbs, true)
})

test('a bundle collects no feedback unless the project enables it, whatever docs.json sets', () => {
  for (const deployment of ['client-hosted', 'air-gapped'] as const) {
    assert.deepEqual(resolveWidgets(deployment, {}, { thumbs: true, code: true }), NONE)
    assert.deepEqual(resolveWidgets(deployment, { thumbs: true }, {}), NONE)
    assert.deepEqual(resolveWidgets(deployment, { bundles: true }, { code: false }), {
      ...NONE,
      thumbs: true,
    })
  }
})

test('link widgets follow the choice in every deployment', () => {
  assert.deepEqual(resolveWidgets('air-gapped', { suggestEdit: true }, { raiseIssue: true }), {
    ...NONE,
    suggestEdit: true,
    raiseIssue: true,
  })
})
