import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentJob } from '../features/agent/operations/agent.ts'
import { ApiError } from './call.ts'
import { followAgentJob } from './follow-agent-job.ts'

const event = (id: number) => `id: ${id}\nevent: text\ndata: {"text":"schön ${id}"}\n\n`

/** Responds with streams in chunks, broken by any error among them. The job ends after the last response. */
function answering(...answers: (string | Buffer | Error)[][]) {
  const asked: (number | undefined)[] = []
  return {
    asked,
    async streamAgentEvents(_projectId: string, _id: string, { lastEventId }: { lastEventId?: number } = {}) {
      asked.push(lastEventId)
      const pieces = answers.shift() ?? []
      if (pieces[0] instanceof ApiError) throw pieces[0]
      return (async function* () {
        for (const piece of pieces) {
          if (piece instanceof Error) throw piece
          yield Buffer.from(piece)
        }
      })()
    },
    async getAgentJob() {
      return { status: answers.length > 0 ? 'active' : 'completed' } as AgentJob
    },
  }
}

async function textsOf(client: ReturnType<typeof answering>, more: { after?: number; tries?: number } = {}) {
  const texts: string[] = []
  for await (const followed of followAgentJob(client, 'prj_1', 'aj_1', { pauseMs: 1, ...more })) {
    assert.equal(followed.event.type, 'text')
    texts.push((followed.event.data as { text: string }).text)
  }
  return texts
}

test('resumes a broken connection after the last complete event', async () => {
  const whole = Buffer.from(event(2))
  const cut = whole.indexOf(0xc3) + 1 // In the middle of a character.
  const client = answering(
    [
      `retry: 2000\n\n${event(1)}`,
      whole.subarray(0, cut),
      whole.subarray(cut),
      event(3).slice(0, 12),
      new Error('gone'),
    ],
    [new ApiError(503, { error: 'The database is away.' }, new Headers())],
    [': still here\n\n', event(3)],
  )
  assert.deepEqual(await textsOf(client), ['schön 1', 'schön 2', 'schön 3'])
  assert.deepEqual(client.asked, [0, 2, 2, 3])
})

test('reconnects when a stopping server ends the stream, and stops once the job has ended', async () => {
  const client = answering([event(1)], [event(2), event(3)])
  assert.deepEqual(await textsOf(client), ['schön 1', 'schön 2', 'schön 3'])
  const behind = answering([event(8)])
  assert.deepEqual(await textsOf(behind, { after: 7 }), ['schön 8'])
  assert.deepEqual(behind.asked, [7, 8])
})

test('an error response or a failed first connection ends following at once', async () => {
  const refusal = new ApiError(404, { error: 'Not found', code: 'not_found' }, new Headers())
  await assert.rejects(textsOf(answering([event(1)], [refusal])), (error) => error === refusal)
  const absent = answering()
  absent.streamAgentEvents = () => Promise.reject(new Error('nobody there'))
  await assert.rejects(textsOf(absent), /nobody there/)
})

test('gives up after the allowed connections without an event', async () => {
  const client = answering([event(1)], [new Error('1')], [new Error('2')], [event(2)])
  await assert.rejects(textsOf(client, { tries: 2 }), /2/)
  assert.deepEqual(client.asked, [0, 1, 1])
})
