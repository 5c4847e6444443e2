import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import * as compat from 'preact/compat'
import { BUILT_IN_NAMES, REACT_NAMES } from '../../src/render/tree/island-names.ts'

test('the names that islands may use are those that there are', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../../src/render/components/island-parts.tsx', import.meta.url))],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    outfile: 'parts.js',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  })
  const [output] = Object.values(metafile.outputs)
  assert.deepEqual(output?.exports.toSorted(), BUILT_IN_NAMES.toSorted())
})

test('React names come from the runtime or from the list that it adds', () => {
  const added = new Set(['h', 'jsx', 'jsxs', 'jsxDEV', 'options', 'toChildArray'])
  assert.deepEqual(
    REACT_NAMES.filter((name) => !(name in compat) && !added.has(name)),
    [],
  )
})
