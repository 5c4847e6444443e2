import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatEvent } from './agent-lines.ts'

test('strips control characters of model and page text from terminal output', () => {
  const text = 'Done.\u001b[2J\u0007\u202E\n\nNext\rline'
  assert.deepEqual(formatEvent({ type: 'text', data: { text } }), ['Done. [2J', 'Next line'])
  const data = { name: 'read_file', input: '\u001b]0;x\u0007a.mdx', result: '20\nlines', isError: true }
  assert.deepEqual(formatEvent({ type: 'tool', data }), ['  ! read_file ]0;x a.mdx → 20 lines'])
  const evil = '\u001b[2J\u202e'
  const problems = [{ path: evil, line: 1, message: evil }]
  const lines = [
    ...formatEvent({ type: 'tool', data: { name: evil, input: evil, result: evil, isError: true } }),
    ...formatEvent({ type: 'plan', data: { items: [{ text: evil, state: 'open' }] } }),
    ...formatEvent({ type: 'check', data: { passed: false, round: 1, problems } }),
  ]
  assert.doesNotMatch(lines.join(''), /[\p{Cc}\p{Cf}]/u)
})

test('check problems are printed with file and line', () => {
  const problems = [
    { path: 'a.mdx', line: 3, message: 'The link leads nowhere.' },
    { path: 'docs.json', line: null, message: 'No such page.' },
  ]
  assert.deepEqual(formatEvent({ type: 'check', data: { passed: false, round: 2, problems } }), [
    '  The check found 2 problems (round 2):',
    '    a.mdx:3  The link leads nowhere.',
    '    docs.json  No such page.',
  ])
})
