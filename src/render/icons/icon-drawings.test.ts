import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDrawing, ICON_SETS, iconNames } from './icon-drawings.ts'

test('every icon of every set has a drawing without scripts or external references', () => {
  for (const set of ICON_SETS) {
    const names = iconNames(set)
    assert.ok(names.length > 200, `${set} has ${names.length} icons`)
    for (const name of names) {
      const { attributes = '', content = '' } = findDrawing(set, name) ?? {}
      assert.match(attributes, /^ viewBox="\d+ \d+ \d+ \d+"/, `${set} ${name}`)
      assert.match(content, /^<.*>$/, `${set} ${name}`)
      assert.doesNotMatch(
        content,
        /<script|<foreignObject|<image|\son\w+=|href="[^#]|javascript:/i,
        `${set} ${name}`,
      )
    }
  }
})

test('puts stroke attributes on the root element, where a style sheet can change them', () => {
  const anchor = findDrawing('lucide', 'anchor')
  assert.match(anchor?.attributes ?? '', / fill="none" stroke="currentColor".* stroke-width="2"$/)
  assert.doesNotMatch(anchor?.content ?? '', /stroke|^<g>/)
  assert.match(findDrawing('tabler', 'star-filled')?.attributes ?? '', / fill="currentColor"$/)
})

test('a former name of an icon returns the same drawing', () => {
  assert.deepEqual(findDrawing('lucide', 'home'), findDrawing('lucide', 'house'))
})

test('returns null for an unknown icon name', () => {
  for (const set of ICON_SETS)
    for (const name of [
      '',
      '\t',
      'rocke',
      'zzy',
      '../rocket',
      '__proto__',
      'constructor',
      'a'.repeat(100_000),
    ])
      assert.equal(findDrawing(set, name), null)
})
