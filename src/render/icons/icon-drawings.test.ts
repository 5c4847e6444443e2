import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { IconLibrary } from '../../site/icon.ts'
import { compactFile } from '../machinery/compact-file.ts'
import { findDrawing } from './icon-drawings.ts'

const SETS: readonly IconLibrary[] = ['fontawesome', 'lucide', 'tabler']

test('each icon of each set is found by its name, with its drawing', () => {
  for (const set of SETS) {
    const lines = readFileSync(compactFile(`icons/${set}.txt`), 'utf8')
      .trimEnd()
      .split('\n')
    assert.ok(lines.length > 2000, `${set} has ${lines.length} icons`)
    for (const line of lines) {
      const [name = '', attributes, content] = line.split('\t')
      assert.deepEqual(findDrawing(set, name), { attributes, content }, `${set} ${name}`)
    }
  }
})

test('a name that a set does not have is not found, wherever it would stand', () => {
  for (const set of SETS)
    for (const name of [
      '',
      '\t',
      '\n',
      '!',
      'rocke',
      'rockets',
      'zzz',
      '~',
      '../rocket',
      'a'.repeat(100_000),
    ])
      assert.equal(findDrawing(set, name), null)
})

test('no drawing can run a script or ask for another file', () => {
  for (const set of SETS)
    assert.doesNotMatch(
      readFileSync(compactFile(`icons/${set}.txt`), 'utf8'),
      /<script|<foreignObject|<image|<use|\son\w+=|href=|javascript:/i,
    )
})
