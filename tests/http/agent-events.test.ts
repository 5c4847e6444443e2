/** Following an agent job with server-sent events: ids, resuming on any server, and the end of the stream. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '../../src/client/client.ts'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import type { AgentEvent } from '../../src/features/agent/operations/agent.ts'
import { addEvents } from '../../src/features/agent/store.ts'
import { createJob, jobPath, steer } from './agent-jobs.ts'
import { type ApiUnderTest, startApi, withKey } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

const said = (text: string): AgentEvent => ({ type: 'text', data: { text } })
const tell = (id: string, ...events: AgentEvent[]) =>
  api.database.transaction((tx) => addEvents(tx, id, events))
const clientOf = ({ url }: { url: string }) => createClient({ baseUrl: url, apiKey: api.acme.key })

const wordsOf = (event: AgentEvent) =>
  event.type === 'text' ? event.data.text : event.type === 'job' ? event.data.status : event.type

test('events arrive in order with consecutive ids, and the stream ends with the job', async () => {
  const { id } = await createJob(api, api.acme)
  const response = await api.fetch(`${jobPath(api.acme, id)}/events`, withKey(api.acme.key))
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  await response.body?.cancel()

  const seen: [number, string][] = []
  for await (const followed of followAgentJob(clientOf(api), api.acme.projectId, id)) {
    seen.push([followed.id, wordsOf(followed.event)])
    if (followed.id === 1) await tell(id, said('one'), said('two'))
    if (followed.id === 3) await steer(api, api.acme, id, 'cancel')
  }
  assert.deepEqual(seen, [
    [1, 'active'],
    [2, 'one'],
    [3, 'two'],
    [4, 'failed'],
  ])
})

test('a follower resumes on another server after its Last-Event-ID', async () => {
  await using second = await startApi({ beside: api })
  const { id } = await createJob(api, api.acme)
  await tell(id, said('one'), said('two'), said('three'))
  await steer(api, api.acme, id, 'cancel')
  const response = await second.fetch(
    `${jobPath(api.acme, id)}/events`,
    withKey(api.acme.key, { headers: { 'Last-Event-ID': '3' } }),
  )
  const text = await response.text()
  assert.deepEqual(text.match(/^id: .*$/gm), ['id: 4', 'id: 5'])
  assert.match(text, /event: text\ndata: \{"text":"three"\}/)
})

test('delivers more events than one read returns, each exactly once', async () => {
  const { id } = await createJob(api, api.acme)
  const texts = Array.from({ length: 450 }, (_, index) => `step ${index}`)
  await tell(id, ...texts.map(said))
  await steer(api, api.acme, id, 'cancel')
  const events = await Array.fromAsync(followAgentJob(clientOf(api), api.acme.projectId, id))
  assert.deepEqual(
    events.map((followed) => followed.id),
    Array.from({ length: 452 }, (_, index) => index + 1),
  )
})

test('a job that becomes active again can be followed again', async () => {
  const { id } = await createJob(api, api.acme)
  await steer(api, api.acme, id, 'cancel')
  const client = clientOf(api)
  const first = await Array.fromAsync(followAgentJob(client, api.acme.projectId, id))
  await steer(api, api.acme, id, 'message', { prompt: 'More.' })
  const seen: string[] = []
  for await (const followed of followAgentJob(client, api.acme.projectId, id, {
    after: first.at(-1)?.id ?? 0,
  })) {
    seen.push(wordsOf(followed.event))
    if (seen.length === 1) await steer(api, api.acme, id, 'cancel')
  }
  assert.deepEqual(seen, ['active', 'failed'])
})

test('a follower survives a server restart and receives the events it missed', async () => {
  let server = await startApi({ beside: api })
  const { port } = server
  const { id } = await createJob(api, api.acme)
  const seen: string[] = []
  for await (const followed of followAgentJob(clientOf(server), api.acme.projectId, id, { pauseMs: 20 })) {
    seen.push(wordsOf(followed.event))
    if (seen.length > 1) continue
    await server[Symbol.asyncDispose]()
    await tell(id, said('meanwhile'))
    await steer(api, api.acme, id, 'cancel')
    server = await startApi({ beside: api, port })
  }
  await server[Symbol.asyncDispose]()
  assert.deepEqual(seen, ['active', 'meanwhile', 'failed'])
})
