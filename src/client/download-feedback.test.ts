import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedbackExportQuery } from '../features/feedback/operations/feedback.ts'
import { ApiError } from './call.ts'
import { downloadFeedback } from './download-feedback.ts'

const line = (n: number) => `${JSON.stringify({ id: `fb_${n}`, comment: 'schön', cursor: `after-${n}` })}\n`

/** Responds with lists of chunks; an error among them breaks the connection at that point. */
function answering(...answers: (string | Buffer | Error)[][]) {
  const asked: FeedbackExportQuery[] = []
  return {
    asked,
    async exportFeedback(_projectId: string, query: FeedbackExportQuery = {}) {
      asked.push(query)
      const pieces = answers.shift() ?? []
      if (pieces[0] instanceof ApiError) throw pieces[0]
      return (async function* () {
        for (const piece of pieces) {
          if (piece instanceof Error) throw piece
          yield Buffer.from(piece)
        }
      })()
    },
  }
}

async function idsOf(client: ReturnType<typeof answering>, tries?: number): Promise<string[]> {
  const options = { include: ['vote'] as const, ...(tries === undefined ? {} : { tries }) }
  const ids: string[] = []
  for await (const entry of downloadFeedback(client, 'prj_1', { source: 'agent' }, options)) {
    assert.equal('cursor' in entry, false)
    assert.equal(entry.comment, 'schön')
    ids.push(entry.id)
  }
  return ids
}

test('resumes a broken connection after the last complete line', async () => {
  const [whole, half] = [Buffer.from(line(2)), Buffer.from(line(3))]
  const cut = whole.indexOf(0xc3) + 1 // In the middle of a character.
  const client = answering(
    [
      line(1) + whole.subarray(0, 0),
      whole.subarray(0, cut),
      whole.subarray(cut),
      half.subarray(0, 9),
      new Error('gone'),
    ],
    [new Error('still gone')],
    [line(3), line(4)],
  )
  assert.deepEqual(await idsOf(client), ['fb_1', 'fb_2', 'fb_3', 'fb_4'])
  assert.deepEqual(client.asked, [
    { source: 'agent', include: 'vote,cursor' },
    { source: 'agent', cursor: 'after-2', include: 'vote,cursor' },
    { source: 'agent', cursor: 'after-2', include: 'vote,cursor' },
  ])
})

test('an error response or a failed first connection ends the download at once', async () => {
  const refusal = new ApiError(400, { error: 'no' }, new Headers())
  await assert.rejects(idsOf(answering([refusal])), (error) => error === refusal)
  const client = answering([new Error('nobody there')], [line(1)])
  await assert.rejects(idsOf(client), /nobody there/)
  assert.equal(client.asked.length, 1)
})

test('gives up after the allowed tries without a new line', async () => {
  const client = answering([line(1), new Error('1')], [new Error('2')], [line(2)])
  await assert.rejects(idsOf(client, 2), /2/)
  assert.equal(client.asked.length, 2)
})
