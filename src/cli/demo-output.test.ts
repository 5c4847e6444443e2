import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { createDemoOutput, type DemoOutput } from './demo-output.ts'

/** Returns the output for a stream that is not a terminal. */
function shown(columns: number, draw: (sheet: DemoOutput) => void): string {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  draw(createDemoOutput(Object.assign(stream, { columns }) as unknown as NodeJS.WriteStream))
  return text
}

const FILE = { path: 'a.mdx', change: 'modified', reason: null, route: '/a', picture: null } as const

test('shows the changed lines of a file without the lines around them', () => {
  const text = shown(80, (sheet) =>
    sheet.file({ ...FILE, reason: 'It was wrong.', before: 'same\nold\nsame\n', after: 'same\nnew\nsame\n' }),
  )
  const lines = text.split('\n').map((line) => line.trim())
  assert.deepEqual(lines.slice(0, 4), ['changed      a.mdx', 'It was wrong.', '− old', '+ new'])
})

test('reports how many lines of a long file are omitted', () => {
  const after = Array.from({ length: 15 }, (_, index) => `line ${index}`).join('\n')
  const text = shown(80, (sheet) => sheet.file({ ...FILE, change: 'added', before: null, after }))
  assert.match(text, /\+ line 13\n.*… 1 more line\n/)
})

test('no control characters of an author or a model reach the terminal', () => {
  const evil = '\u001b]0;title\u0007\u001b[2J\u202e'
  const text = shown(80, (sheet) => {
    sheet.file({ ...FILE, path: `${evil}.mdx`, reason: evil, before: evil, after: `${evil}x` })
  })
  assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Cf}/u)
})

test('wraps words to the terminal width and keeps longer words whole', () => {
  const text = shown(40, (sheet) => sheet.paragraph(`${'word '.repeat(20)}${'x'.repeat(60)}`))
  const lines = text.trimEnd().split('\n')
  assert.ok(lines.slice(0, -1).every((line) => line.length <= 40))
  assert.equal(lines.at(-1)?.trim(), 'x'.repeat(60))
})
