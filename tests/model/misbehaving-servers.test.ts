import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ModelError, type ModelRequest, type ModelResponse } from '../../src/model/model.ts'
import { openModel } from '../../src/model/open-model.ts'
import { listedGuard } from '../kit/git.ts'
import {
  abandonedAddress,
  MISBEHAVIOURS,
  type Misbehaviour,
  type MisbehaviourName,
  startMisbehaving,
} from '../kit/model-misbehaviours.ts'
import { answersWith, type ModelServer, replies, startModelServer } from '../kit/model-server.ts'

const KEY = 'sk-stand-in-7f3a91c04be2d5586e1b'
const MAX_BYTES = 2 * 1024 * 1024
/** Limit for servers that go silent. On a busy machine, any other server may take longer than this. */
const SHORT_MS = 2000
/** Deadline for responses that never end. */
const ENDLESS_MS = 6000
const DEADLINE_MS = 120_000

const REQUEST: ModelRequest = {
  system: 'You edit documentation.',
  messages: [{ role: 'user', text: 'Fix the typo.' }],
  tools: [
    {
      name: 'read_file',
      description: 'Text of a file.',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
  maxOutputTokens: 1000,
}

const unhandled: unknown[] = []
const collect = (reason: unknown) => unhandled.push(reason)
before(() => process.on('unhandledRejection', collect))
after(() => {
  process.off('unhandledRejection', collect)
  assert.deepEqual(unhandled, [])
})

type Outcome = { answer: ModelResponse } | { error: unknown }

async function ask(
  url: string,
  { request = REQUEST, deadlineMs = DEADLINE_MS, silenceMs = DEADLINE_MS } = {},
): Promise<Outcome> {
  const model = openModel(
    { name: 'openai-compatible:stand-in', url, replayFile: null, recordFile: null },
    { compatible: KEY },
    listedGuard,
    { bytes: MAX_BYTES, firstByteMs: silenceMs, stallMs: silenceMs },
  )
  try {
    return { answer: await model.answer(request, AbortSignal.timeout(deadlineMs)) }
  } catch (error) {
    return { error }
  }
}

const askOne = async (name: MisbehaviourName): Promise<Outcome> => {
  await using server = await startMisbehaving(name)
  return await ask(server.url)
}

function errorOf(outcome: Outcome): ModelError {
  assert.ok('error' in outcome, `it answered: ${JSON.stringify(outcome).slice(0, 300)}`)
  if (!(outcome.error instanceof ModelError)) throw outcome.error
  return outcome.error
}

function answerOf(outcome: Outcome): ModelResponse {
  if ('error' in outcome) throw outcome.error
  return outcome.answer
}

// Runs many at once, since most of their time is spent waiting.
describe('misbehaving model servers', { concurrency: 16 }, () => {
  for (const [name, { becomes, isSilent }] of Object.entries(MISBEHAVIOURS) as [
    MisbehaviourName,
    Misbehaviour,
  ][]) {
    test(`${name}: ${JSON.stringify(becomes)}`, async () => {
      await using server = await startMisbehaving(name)
      const outcome = await ask(server.url, {
        ...(becomes === 'endless' && { deadlineMs: ENDLESS_MS }),
        ...(isSilent && { silenceMs: SHORT_MS }),
      })
      assert.deepEqual(summaryOf(outcome), becomes, tell(outcome))
      assert.deepEqual(server.faults, [])
      assert.ok(!tell(outcome).includes(KEY.slice(0, 12)), `the key leaks: ${tell(outcome)}`)
      if ('answer' in outcome) await checkResponse(outcome.answer)
      else if (outcome.error instanceof ModelError) checkSentence(outcome.error)
    })
  }
})

test('an address where nothing is listening is reported as unreachable', async () => {
  const error = errorOf(await ask(await abandonedAddress()))
  assert.equal(error.reason, 'unreachable')
  assert.match(error.message, /nothing is listening/)
})

test('an aborted request rejects immediately with the reason of the caller', async () => {
  await using server = await startMisbehaving('never says anything')
  const leaving = new AbortController()
  const model = openModel(
    { name: 'vllm:stand-in', url: server.url, replayFile: null, recordFile: null },
    {},
    listedGuard,
  )
  const asking = model.answer(REQUEST, leaving.signal)
  leaving.abort(new Error('the job was cancelled'))
  await assert.rejects(asking, /the job was cancelled/)
})

test('closes the connection as soon as the response is rejected', async () => {
  const left = Promise.withResolvers<void>()
  await using server = await startModelServer(() => ({ response, gone }) => {
    gone.addEventListener('abort', () => left.resolve())
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: nonsense\n\n')
  })
  assert.equal(errorOf(await ask(server.url)).reason, 'nonsense')
  await left.promise
})

test('reads the retry delay from Retry-After and ignores an invalid one', async () => {
  assert.equal(errorOf(await askOne('429 with seconds')).retryAfterSeconds, 1)
  assert.equal(errorOf(await askOne('429 without a word on when')).retryAfterSeconds, null)
  assert.equal(errorOf(await askOne('429 with a date that is none')).retryAfterSeconds, null)
  const seconds = errorOf(await askOne('429 with a date')).retryAfterSeconds ?? -1
  assert.ok(seconds >= 0 && seconds <= 2, `${seconds}`)
})

test('normalizes tool inputs and keeps invalid JSON as text', async () => {
  const input = async (name: MisbehaviourName) => answerOf(await askOne(name)).toolCalls[0]?.input
  assert.equal(await input('arguments that break off'), '{"path":"index.mdx","text":"Hel')
  assert.deepEqual(await input('arguments that are a list'), ['index.mdx'])
  assert.deepEqual(await input('arguments that are a text'), { path: 'index.mdx' })
  assert.deepEqual(await input('arguments that are an object'), { path: 'a.mdx' })
  assert.deepEqual(await input('no arguments at all'), {})
  assert.equal(typeof (await input('arguments a hundred thousand levels deep')), 'string')
})

test('estimates missing or implausible usage', async () => {
  for (const name of [
    'no usage',
    'usage of nothing',
    'usage below zero',
    'usage beyond all measure',
  ] as const) {
    const { usage } = answerOf(await askOne(name))
    assert.ok(usage.inputTokens >= 50 && usage.inputTokens < 500, `${name}: ${usage.inputTokens}`)
    assert.ok(usage.outputTokens >= 5 && usage.outputTokens < 100, `${name}: ${usage.outputTokens}`)
  }
})

test('does not follow redirects', async () => {
  let reached = 0
  await using elsewhere = await startModelServer(() => {
    reached++
    return replies({ text: 'Not me.' })
  })
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await startModelServer(() => ({ response }) => {
      response.writeHead(status, { location: `${elsewhere.url}/chat/completions` }).end()
    })
    const error = errorOf(await ask(server.url))
    assert.equal(error.reason, 'refused')
    assert.ok(error.message.includes(new URL(elsewhere.url).origin), error.message)
  }
  assert.equal(reached, 0)
})

test('completes a regular conversation with a tool call and its result', async () => {
  await using server = await startModelServer(
    answersWith([
      { text: 'I look.', toolCalls: [{ name: 'read_file', input: { path: 'index.mdx' } }] },
      { text: 'Done.', usage: { inputTokens: 321, outputTokens: 7 } },
    ]),
  )
  const first = answerOf(await ask(server.url))
  assert.equal(first.text, 'I look.')
  assert.equal(first.finish, 'tool_calls')
  const second = answerOf(await ask(server.url, { request: goOn(first) }))
  assert.deepEqual(second, {
    text: 'Done.',
    toolCalls: [],
    finish: 'stop',
    usage: { inputTokens: 321, outputTokens: 7 },
  })
  assert.deepEqual(server.faults, [])
  assert.deepEqual(server.authorizations, [`Bearer ${KEY}`, `Bearer ${KEY}`])
})

function summaryOf(outcome: Outcome): unknown {
  if ('answer' in outcome) return { finish: outcome.answer.finish }
  if (outcome.error instanceof ModelError) return { error: outcome.error.reason }
  return (outcome.error as Error).name === 'TimeoutError' ? 'endless' : String(outcome.error)
}

function tell(outcome: Outcome): string {
  if ('answer' in outcome) return JSON.stringify(outcome.answer)
  const { message, stack, cause } = outcome.error as Error
  return `${message}\n${stack}\n${JSON.stringify(cause)}`
}

/** Checks that the response can be stored, and sent back in a request that a strict server accepts. */
async function checkResponse(answer: ModelResponse): Promise<void> {
  const text = JSON.stringify(answer)
  assert.doesNotMatch(text, /\\u0000|\\ud[89a-f]/)
  assert.ok(answer.usage.inputTokens >= 1 && answer.usage.outputTokens >= 1)
  assert.equal(new Set(answer.toolCalls.map(({ id }) => id)).size, answer.toolCalls.length)
  await using strict: ModelServer = await startModelServer(() => replies({ text: 'Go on.' }))
  assert.equal(answerOf(await ask(strict.url, { request: goOn(answer) })).text, 'Go on.')
  assert.deepEqual(strict.faults, [])
}

/** Returns the next request of a job that received this response. */
function goOn(answer: ModelResponse): ModelRequest {
  const results = answer.toolCalls.map(({ id, name }) => ({
    callId: id,
    name,
    text: 'There is no such tool.',
    isError: true,
  }))
  return {
    ...REQUEST,
    messages: [
      ...REQUEST.messages,
      { role: 'assistant', text: answer.text, toolCalls: answer.toolCalls },
      ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
      { role: 'user', text: 'Go on.' },
    ],
  }
}

/** Checks that the message is one line a writer can understand: short, without markup or code. */
function checkSentence({ message }: ModelError): void {
  assert.match(message, /^[A-Z].*[.?”]$/s)
  assert.ok(message.length < 600, `${message.length} characters`)
  assert.doesNotMatch(message, /[\n\r\0]|<h1>|undefined|\[object|AI_/)
}
