import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCodeMeta } from './code-meta.ts'

function changed(info: string) {
  const plain = parseCodeMeta('')
  return Object.fromEntries(
    Object.entries(parseCodeMeta(info)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(plain[name as keyof typeof plain]),
    ),
  )
}

test('words that are not options form the title', () => {
  assert.deepEqual(changed('bash'), { language: 'bash' })
  assert.deepEqual(changed('ts src/app.ts'), { language: 'ts', title: 'src/app.ts' })
  assert.deepEqual(changed('Python Main file wrap'), { language: 'python', title: 'Main file', wrap: true })
  assert.deepEqual(changed('js "quoted title"'), { language: 'js', title: 'quoted title' })
  assert.deepEqual(changed('js title="Set" Bare'), { language: 'js', title: 'Set' })
  assert.deepEqual(changed("json filename='a b.json'"), { language: 'json', title: 'a b.json' })
})

test('reads line numbers from braces, expressions and text', () => {
  assert.deepEqual(changed('js {1,3-5}').highlight, [1, 3, 4, 5])
  assert.deepEqual(changed('js{2}').highlight, [2])
  assert.deepEqual(changed('js highlight={1-2,5}').highlight, [1, 2, 5])
  assert.deepEqual(changed('js highlight="4"').highlight, [4])
  assert.deepEqual(changed('js highlight=1').highlight, [1])
  assert.deepEqual(changed('js focus=2,4-5').focus, [2, 4, 5])
  assert.deepEqual(changed('js focus={2, 4} {9}'), { language: 'js', focus: [2, 4], highlight: [9] })
  assert.equal(changed('js {1-99999999}').highlight?.toString().split(',').length, 10_001)
})

test('flags may be bare, valued or in brackets', () => {
  assert.deepEqual(changed('js lines expandable'), { language: 'js', lines: true, expandable: true })
  assert.deepEqual(changed('js nocopy="false"'), { language: 'js' })
  assert.deepEqual(changed('js [expandable] wrap={true}'), { language: 'js', expandable: true, wrap: true })
  assert.deepEqual(changed('js {lines} showLineNumbers'), { language: 'js', lines: true })
  assert.deepEqual(changed('nocopy'), { nocopy: true })
  assert.deepEqual(changed('js icon="node-js" icon'), { language: 'js', icon: 'node-js' })
})

test('ignores unknown words and keeps unknown attributes in rest', () => {
  assert.deepEqual(changed('ts twoslash /useState/ theme={null}'), {
    language: 'ts',
    twoslash: true,
    rest: { theme: 'null' },
  })
  assert.deepEqual(changed('mermaid placement="top-left" actions={false}'), {
    language: 'mermaid',
    rest: { placement: 'top-left', actions: 'false' },
  })
  assert.deepEqual(changed('http://x'), { language: 'http' })
})
