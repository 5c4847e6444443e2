import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Model, ModelMessage, ModelRequest, ModelResponse } from './model.ts'
import { openRecording } from './recording.ts'
import { openReplay } from './replay-model.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-replay-'))
})
after(() => rm(folder, { recursive: true }))

const never = new AbortController().signal
const ask = (model: Model, ...messages: ModelMessage[]) =>
  model.answer({ system: 'You edit.', messages, tools: [], maxOutputTokens: 100 }, never)
const user = (text: string): ModelMessage => ({ role: 'user', text })
const said = ({ text, toolCalls }: ModelResponse): ModelMessage => ({ role: 'assistant', text, toolCalls })
const results = ({ toolCalls }: ModelResponse): ModelMessage => ({
  role: 'tool',
  results: toolCalls.map(({ id, name }) => ({ callId: id, name, text: 'ok', isError: false })),
})

async function replayOf(recording: unknown, name = 'tour.json'): Promise<Model> {
  const file = join(folder, name)
  await writeFile(file, JSON.stringify(recording))
  return openReplay('replay:tour', file)
}

const TOUR = {
  model: 'anthropic:claude-sonnet-4-5',
  conversations: [
    {
      prompt: 'Fix the typo.',
      answers: [
        { text: 'I look.', toolCalls: [{ name: 'read_file', input: { path: 'index.mdx' } }] },
        { text: 'Done.', usage: { inputTokens: 12, outputTokens: 3 } },
      ],
    },
    { prompt: '/the check found/i', answers: [{ text: 'I mend it.' }] },
  ],
}

test('reports its replay name and picks the recorded answer from the request alone', async () => {
  const model = await replayOf(TOUR)
  assert.equal(model.name, 'replay:tour')
  const first = await ask(model, user('Fix the typo.\n'))
  assert.deepEqual(first.toolCalls, [{ id: 'replay-0-0', name: 'read_file', input: { path: 'index.mdx' } }])
  assert.equal(first.finish, 'tool_calls')
  assert.ok(first.usage.inputTokens >= 1 && first.usage.outputTokens >= 1)
  const conversation = [user('Fix the typo.'), said(first), results(first)]
  const second = await ask(model, ...conversation)
  assert.deepEqual(second, { ...second, text: 'Done.', usage: { inputTokens: 12, outputTokens: 3 } })
  assert.deepEqual(await ask(openReplay('replay:tour', join(folder, 'tour.json')), ...conversation), second)
})

test('answers for the latest recorded prompt of a conversation, including pattern prompts', async () => {
  const model = await replayOf(TOUR)
  const first = await ask(model, user('Fix the typo.'))
  const checked = [user('Fix the typo.'), said(first), results(first), user('THE CHECK FOUND 1 problem.')]
  assert.equal((await ask(model, ...checked)).text, 'I mend it.')
  const again = await ask(model, ...checked, said(first), user('Fix the typo.'))
  assert.equal(again.text, 'I look.')
  assert.notEqual(again.toolCalls[0]?.id, first.toolCalls[0]?.id)
})

test('rejects prompts and turns that were not recorded', async () => {
  const model = await replayOf(TOUR)
  await assert.rejects(ask(model, user('Fix something else.')), { reason: 'refused', message: /replay/ })
  const done = { role: 'assistant', text: 'Done.', toolCalls: [] } as const
  await assert.rejects(ask(model, user('Fix the typo.'), done, done), { reason: 'refused', message: /ends/ })
})

test('reports a missing or invalid recording file', async () => {
  const reason = 'model_missing'
  await assert.rejects(ask(openReplay('replay:tour', join(folder, 'none.json')), user('x')), {
    reason,
    message: /ENOENT/,
  })
  await assert.rejects(ask(await replayOf({ model: 'x' }, 'a.json'), user('x')), {
    reason,
    message: /conversations/,
  })
  const pattern = { ...TOUR, conversations: [{ prompt: '/(/', answers: [{ text: 'x' }] }] }
  await assert.rejects(ask(await replayOf(pattern, 'b.json'), user('x')), { reason, message: /pattern/ })
  await writeFile(join(folder, 'c.json'), 'root:x:0:0')
  await assert.rejects(ask(openReplay('replay:tour', join(folder, 'c.json')), user('x')), {
    reason,
    message: /: The file is not JSON\.$/,
  })
})

test('a recording can be replayed and contains no system prompt or tool results', async () => {
  const file = join(folder, 'recorded.json')
  const recorded = openRecording(await replayOf(TOUR), file)
  assert.equal(recorded.name, 'replay:tour')
  const first = await ask(recorded, user('Fix the typo.'))
  const conversation = [user('Fix the typo.'), said(first), results(first)]
  const second = await ask(recorded, ...conversation)
  const replay = openReplay('replay:tour', file)
  assert.deepEqual(await ask(replay, user('Fix the typo.')), first)
  assert.deepEqual(await ask(replay, ...conversation), second)
  assert.doesNotMatch(await readFile(file, 'utf8'), /You edit|"ok"/)
})

test('concurrent requests are all recorded and a repeated prompt replaces its answers', async () => {
  const file = join(folder, 'many.json')
  const echo: Model = {
    name: 'test:echo',
    answer: async ({ messages }: ModelRequest) => ({
      text: `${messages.length}`,
      toolCalls: [],
      finish: 'stop',
      usage: { inputTokens: 1, outputTokens: 1 },
    }),
  }
  const recording = openRecording(echo, file)
  await Promise.all(Array.from({ length: 8 }, (_, number) => ask(recording, user(`prompt ${number}`))))
  const before = JSON.parse(await readFile(file, 'utf8'))
  assert.equal(before.conversations.length, 8)
  await ask(recording, user('prompt 1'), { role: 'assistant', text: 'x', toolCalls: [] })
  await ask(recording, user('prompt 1'))
  const { conversations } = JSON.parse(await readFile(file, 'utf8'))
  const answers = conversations.find(({ prompt }: { prompt: string }) => prompt === 'prompt 1').answers
  assert.deepEqual(
    answers.map(({ text }: ModelResponse) => text),
    ['1'],
  )
})
