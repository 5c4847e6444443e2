import assert from 'node:assert/strict'
import test from 'node:test'
import type { SourceNode } from '../tree/source-node.ts'
import { parseBody } from './compile-repair.ts'

function values(node: SourceNode): string[] {
  const own = [node.type.endsWith('Expression') ? node.value : undefined]
  const given = (node.attributes ?? []).map(({ value }) =>
    typeof value === 'object' ? value?.value : undefined,
  )
  return [...own, ...given, ...(node.children ?? []).flatMap(values)].filter((value) => value !== undefined)
}

test('template literals keep their indentation', () => {
  const source = '<A>\n{`{\n  "a": 1,\n    "b": 2\n}`}\n</A>\n\n<Card code={`f\n  g\n    h`} />\n'
  assert.deepEqual(values(parseBody(source, { isMarkdownFile: false, hasMath: true }).root), [
    '`{\n  "a": 1,\n    "b": 2\n}`',
    '`f\n  g\n    h`',
  ])
})

test('removes the indentation of the list item from template literals', () => {
  const source = '- item\n\n  <A>\n  {`one\n    two\n  three`}\n  </A>\n'
  assert.deepEqual(values(parseBody(source, { isMarkdownFile: false, hasMath: true }).root), [
    '`one\n  two\nthree`',
  ])
})

test('template literals in a blockquote stay as the parser read them', () => {
  const source = '> <A>\n> {`one\n>   two`}\n> </A>\n'
  assert.deepEqual(values(parseBody(source, { isMarkdownFile: false, hasMath: true }).root), ['`one\ntwo`'])
})
