import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeBlocks, findCodeBlock } from './code-blocks.ts'

const PAGE = [
  '# Deploy',
  '',
  '```bash',
  'octavo start',
  '```',
  '',
  '## By hand ##',
  '',
  '- first',
  '',
  '    ````ts title="src/a.ts" {1}',
  '    const fence = "```"',
  '      indented()',
  '    ````',
  '',
  '~~~',
  '# no heading',
  '~~~',
  '',
  '```js open.js',
  'not closed',
].join('\n')

test('code blocks have their text, language, title, number and heading', () => {
  assert.deepEqual(codeBlocks(PAGE), [
    { text: 'octavo start', lang: 'bash', title: null, heading: 'Deploy', number: 1 },
    {
      text: 'const fence = "```"\n  indented()',
      lang: 'ts',
      title: 'src/a.ts',
      heading: 'By hand',
      number: 2,
    },
    { text: '# no heading', lang: null, title: null, heading: 'By hand', number: 3 },
  ])
})

test('finds a code block whatever its line endings and trailing spaces', () => {
  const found = findCodeBlock(PAGE, 'const fence = "```"  \r\n  indented()\r\n')
  assert.deepEqual([found?.number, found?.isSame], [2, true])
})

test('finds the most similar block of a changed page, and none with fewer than half of the lines', () => {
  const page = '```js\na()\nb()\nc()\n```\n\n```js\na()\nx()\ny()\nz()\n```\n'
  const found = findCodeBlock(page, 'a()\nb()\nd()')
  assert.deepEqual([found?.number, found?.isSame], [1, false])
  assert.equal(findCodeBlock(page, 'a()\nq()'), null)
  assert.equal(findCodeBlock('', 'a()'), null)
})
