/** Following an export job with server-sent events. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashApiKey } from '../../src/features/accounts/keys/api-key-text.ts'
import type { ExportJob } from '../../src/features/export/operations/static-export.ts'
import { EXPORT_WORK, exportRows } from '../../src/features/export/store.ts'
import { writeProgress } from '../../src/queue/work-row.ts'
import { type ApiUnderTest, JOBS, makeKey, startApi, startJob, withKey } from './api-under-test.ts'
import { recordLog } from './recorded-log.ts'

const log = recordLog()
let api: ApiUnderTest
before(async () => {
  api = await startApi({ log })
})
after(() => api[Symbol.asyncDispose]())

interface Event {
  id: string
  event: string
  job: ExportJob
}

async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let text = ''
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const blocks = text.split('\n\n')
    text = blocks.pop() as string
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      )
      if (fields.data !== undefined)
        yield { id: fields.id, event: fields.event, job: JSON.parse(fields.data) }
    }
  }
}

const follow = (jobId: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  api.fetch(`${JOBS}/${jobId}/events`, withKey(api.acme.key, { headers, ...(signal ? { signal } : {}) }))

test('the state is sent at once, then each change, and the stream ends with the job', async () => {
  const jobId = await startJob(api, api.acme)
  const response = await follow(jobId)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const seen: Event[] = []
  for await (const event of eventsOf(response)) {
    seen.push(event)
    if (event.job.status === 'queued') {
      const held = { id: jobId, attempt: 1 }
      await exportRows.claim(api.database.queries, held)
      const progress = { progress: 40, pageCount: 2, totalPages: 5 }
      await writeProgress(EXPORT_WORK, api.database.queries, held, progress, 0)
    } else if (event.job.status === 'running') {
      await api.completeExport(jobId, Buffer.from('archive'))
    }
  }
  assert.deepEqual(
    seen.map(({ id, event, job }) => [id, event, job.status, job.progress]),
    [
      ['1', 'job', 'queued', 0],
      ['2', 'job', 'running', 40],
      ['3', 'job', 'completed', 100],
    ],
  )
})

test('a reconnecting reader gets the state at once, with an id after its Last-Event-ID', async () => {
  const jobId = await startJob(api, api.acme)
  await api.completeExport(jobId, Buffer.from('archive'))
  const events = await Array.fromAsync(eventsOf(await follow(jobId, { 'Last-Event-ID': '7' })))
  assert.deepEqual(
    events.map(({ id, job }) => [id, job.status]),
    [['8', 'completed']],
  )
})

test('a stream sends nothing more once its key is revoked', async () => {
  const jobId = await startJob(api, api.acme)
  const key = await api.database.transaction((tx) => makeKey(tx, api.acme.organizationId))
  const ask = () => api.fetch(`${JOBS}/${jobId}/events`, withKey(key))
  const seen: string[] = []
  for await (const { job } of eventsOf(await ask())) {
    seen.push(job.status)
    if (seen.length > 1) break
    await api.database.queries
      .updateTable('api_keys')
      .set({ revoked_at: new Date() })
      .where('hash', '=', hashApiKey(key))
      .execute()
    await exportRows.claim(api.database.queries, { id: jobId, attempt: 1 })
  }
  assert.deepEqual(seen, ['queued'])
  assert.equal((await ask()).status, 401)
})

test('a reader that disconnects ends the stream on the server', async () => {
  const jobId = await startJob(api, api.acme)
  const leaving = new AbortController()
  const response = await follow(jobId, {}, leaving.signal)
  const first = await eventsOf(response).next()
  assert.equal(first.value?.job.status, 'queued')
  const ended = log.next('http.aborted', (line) => String(line.path).endsWith(`${jobId}/events`))
  leaving.abort()
  await ended
})

test('streams end when the server stops, and no connection stays open', async () => {
  const stopping = await startApi({ beside: api })
  const jobId = await startJob(api, api.acme)
  const response = await stopping.fetch(`${JOBS}/${jobId}/events`, withKey(api.acme.key))
  const events = eventsOf(response)
  assert.equal((await events.next()).value?.job.status, 'queued')
  const closed = stopping[Symbol.asyncDispose]()
  assert.equal((await events.next()).done, true)
  await closed
})
