import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as compat from 'preact/compat'
import { REACT_NAMES } from '../../src/render/tree/island-names.ts'

test('every React name is exported by preact/compat or added by the runtime', () => {
  const added = new Set(['h', 'jsx', 'jsxs', 'jsxDEV', 'options', 'toChildArray'])
  assert.deepEqual(
    REACT_NAMES.filter((name) => !(name in compat) && !added.has(name)),
    [],
  )
})
