import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelMessage } from '../../../model/model.ts'
import { compactConversation, OMISSION_TEXT } from './compact-conversation.ts'

const step = (number: number, size: number): ModelMessage[] => [
  {
    role: 'assistant',
    text: `Step ${number}.`,
    toolCalls: [{ id: `c${number}`, name: 'write_file', input: { path: 'a.mdx', text: 'w'.repeat(size) } }],
  },
  {
    role: 'tool',
    results: [{ callId: `c${number}`, name: 'write_file', text: 'r'.repeat(size), isError: false }],
  },
]
const task: ModelMessage = { role: 'user', text: 'Do it.' }
const bytes = (messages: readonly ModelMessage[]) => JSON.stringify(messages).length

test('a conversation within the limit stays unchanged', () => {
  const messages = [task, ...step(1, 5000), ...step(2, 5000)]
  assert.deepEqual(compactConversation(messages, 30_000), messages)
})

test('folds old tool calls and results and keeps the newest steps whole', () => {
  const messages = [task, ...[1, 2, 3, 4, 5].flatMap((number) => step(number, 5000))]
  const folded = compactConversation(messages, 30_000)
  assert.equal(folded.length, messages.length)
  assert.ok(bytes(folded) < 30_000)
  assert.ok(
    JSON.stringify(folded[1]).includes(OMISSION_TEXT) && JSON.stringify(folded[2]).includes(OMISSION_TEXT),
  )
  assert.ok(JSON.stringify(folded[1]).includes('a.mdx'))
  assert.deepEqual(folded.slice(-4), messages.slice(-4))
})

test('one fold makes room for several steps, and the prefix stays the same in between', () => {
  const messages: ModelMessage[] = [task]
  let before: ModelMessage[] = []
  let changes = 0
  for (let number = 1; number <= 60; number++) {
    messages.push(...step(number, 1000))
    const now = compactConversation(messages, 30_000)
    assert.ok(bytes(now) < 45_000)
    if (JSON.stringify(now.slice(0, before.length)) !== JSON.stringify(before)) changes++
    before = now
  }
  assert.ok(changes > 0 && changes <= 10, `${changes}`)
})

test('truncates tool results that exceed the limit at once', () => {
  const results = Array.from({ length: 20 }, (_, index) => ({
    callId: `c${index}`,
    name: 'read_file',
    text: 'é'.repeat(8000),
    isError: false,
  }))
  const folded = compactConversation([task, { role: 'tool', results }], 30_000)
  const last = folded.at(-1)
  assert.ok(last?.role === 'tool' && last.results.every(({ text }) => /Truncated/.test(text)))
  assert.ok(Buffer.byteLength(JSON.stringify(folded)) < 36_000)
})
