import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import {
  type Model,
  ModelError,
  type ModelErrorReason,
  type ModelRequest,
  type ModelResponse,
} from './model.ts'
import { requestWithRetry } from './retrying.ts'

const REQUEST: ModelRequest = { system: '', messages: [], tools: [], maxOutputTokens: 10 }
const ANSWER: ModelResponse = {
  text: 'Here.',
  toolCalls: [],
  finish: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
}

/** A model that fails with these errors in order, then answers. */
function failing(...errors: Error[]): Model & { asked: number } {
  return {
    name: 'test:failing',
    asked: 0,
    async answer() {
      const error = errors[this.asked++]
      if (error !== undefined) throw error
      return ANSWER
    },
  }
}

const error = (reason: ModelErrorReason, retryAfterSeconds: number | null = 0) =>
  new ModelError(reason, `It is ${reason}.`, { retryAfterSeconds })

async function ask(model: Model, patienceMs = 60_000) {
  const waits: [number, string][] = []
  const answer = await requestWithRetry(model, REQUEST, {
    signal: new AbortController().signal,
    patienceMs,
    onWait: (seconds, error) => void waits.push([seconds, (error as ModelError).reason]),
    random: () => 1,
  })
  return { answer, waits }
}

test('retries a busy or unreachable model after the requested delay', async () => {
  const model = failing(error('busy', 0.01), error('unreachable', 0))
  const { answer, waits } = await ask(model)
  assert.equal(answer, ANSWER)
  assert.deepEqual(waits, [
    [0.01, 'busy'],
    [0, 'unreachable'],
  ])
})

test('throws non-retryable errors on the first attempt', async () => {
  for (const reason of [
    'credentials_refused',
    'model_missing',
    'too_long',
    'refused',
    'too_large',
  ] as const) {
    const model = failing(error(reason))
    await assert.rejects(ask(model), { reason })
    assert.equal(model.asked, 1)
  }
  const bug = failing(new TypeError('a bug'))
  await assert.rejects(ask(bug), TypeError)
  assert.equal(bug.asked, 1)
})

test('gives up after three consecutive nonsense errors', async () => {
  const nonsense = () => error('nonsense')
  const model = failing(nonsense(), nonsense(), nonsense())
  await assert.rejects(ask(model), { reason: 'nonsense' })
  assert.equal(model.asked, 3)
  const mixed = failing(nonsense(), nonsense(), error('busy'), nonsense(), nonsense())
  assert.equal((await ask(mixed)).answer, ANSWER)
})

test('does not start a wait that would exceed the deadline', async () => {
  const model = failing(error('busy', 3600))
  await assert.rejects(ask(model, 1000), { reason: 'busy', message: 'It is busy.' })
  assert.equal(model.asked, 1)
})

test('without a requested delay, waits double up to one minute and stop before the deadline', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const clock = mock.method(performance, 'now', () => Date.now())
  try {
    const waits: number[] = []
    const model = failing(...Array.from({ length: 100 }, () => error('unreachable', null)))
    const asking = requestWithRetry(model, REQUEST, {
      signal: new AbortController().signal,
      patienceMs: 300_000,
      onWait: (seconds) => void waits.push(seconds),
      random: () => 1,
    })
    let isOver = false
    const over = asking.catch((reason: unknown) => {
      isOver = true
      return reason
    })
    while (!isOver) {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      mock.timers.tick(1000)
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60])
    assert.ok((await over) instanceof ModelError)
  } finally {
    mock.timers.reset()
    clock.mock.restore()
  }
})

test('aborting the signal during a wait rejects with the abort reason', async () => {
  const stopping = new AbortController()
  const asking = requestWithRetry(failing(error('busy', 30)), REQUEST, {
    signal: stopping.signal,
    patienceMs: 60_000,
    onWait: () => stopping.abort(new Error('the job was cancelled')),
  })
  await assert.rejects(asking, /the job was cancelled/)
})
