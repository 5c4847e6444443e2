/** A job with more text than fits into the model context: old messages are folded, and the work is complete. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCS, openAgentScene } from '../kit/agent.ts'
import {
  type Behaviour,
  type ChatRequest,
  refuses,
  replies,
  type ScriptedAnswer,
} from '../kit/model-server.ts'

const PAGES = Array.from({ length: 24 }, (_, number) => `guides/page-${number + 1}.mdx`)
const LINE = 'A line of a long page that says a thing or two about tea.\n'
/** About 20 kB. */
const pageOf = (number: number, words: string) =>
  `---\ntitle: Page ${number + 1}\nhidden: true\n---\n\n${words} ${number + 1}.\n\n${LINE.repeat(350)}`
const BYTES_PER_TOKEN = 4

/** Reads and rewrites each page in turn. */
const ANSWERS: ScriptedAnswer[] = [
  ...PAGES.flatMap((path, number): ScriptedAnswer[] => [
    { toolCalls: [{ name: 'read_file', input: { path } }] },
    { toolCalls: [{ name: 'write_file', input: { path, text: pageOf(number, 'New words') } }] },
  ]),
  {
    toolCalls: [
      {
        name: 'finish',
        input: {
          title: 'Write all pages anew',
          summary: 'New words in all of them.',
          reasons: PAGES.map((path) => ({ path, reason: 'It was asked for.' })),
        },
      },
    ],
  },
]

/** Refuses requests over the token limit, as a model server does. */
function answerWithin(tokens: number) {
  return (request: ChatRequest): Behaviour => {
    const asked = JSON.stringify([request.messages, request.tools]).length / BYTES_PER_TOKEN
    if (asked + (request.max_tokens ?? 0) > tokens)
      return refuses(400, `This model's maximum context length is ${tokens} tokens.`)
    const answers = request.messages.filter(({ role }) => role === 'assistant').length
    return replies(ANSWERS[answers] ?? {})
  }
}

/** Counts the requests that do not start with all messages of the previous request. */
function brokenPrefixes(requests: readonly ChatRequest[]): number {
  return requests.filter(({ messages }, index) => {
    const before = requests[index - 1]?.messages ?? []
    return before.some((message, place) => JSON.stringify(message) !== JSON.stringify(messages[place]))
  }).length
}

for (const { tokens, folds } of [
  { tokens: 128_000, folds: 6 },
  // Each page takes two steps, to read and to write it, and each step fills a quarter of the context.
  { tokens: 32_000, folds: 40 },
]) {
  test(`a job rewrites 24 pages of 20 kB with a model limited to ${tokens} tokens`, async () => {
    const files = Object.fromEntries(PAGES.map((path, number) => [path, pageOf(number, 'Old words')]))
    await using scene = await openAgentScene({
      script: answerWithin(tokens),
      files: { ...DOCS, ...files },
      env: { OCTAVO_MODEL_CONTEXT: String(tokens) },
    })
    const { client } = scene.octavo
    const { id } = await client.createAgentJob(scene.projectId, { prompt: 'Write all pages anew.' })
    const job = await scene.ended(id)
    assert.equal(job.status, 'completed', job.error ?? '')
    assert.equal(job.filesChanged, PAGES.length)
    const written = await scene.repository.git('show', `${job.branch}:${PAGES[3]}`)
    assert.equal(written.trim(), pageOf(3, 'New words').trim())
    const requests = scene.model?.requests ?? []
    assert.ok(brokenPrefixes(requests) <= folds, `${brokenPrefixes(requests)} folds`)
    assert.equal(requests.length, ANSWERS.length)
  })
}
