/** Calls every operation with openapi-fetch and types from openapi-typescript. */

import type { paths } from 'generated/types'
import createClient from 'openapi-fetch'
import type { Things } from './things.ts'

export async function callAll(things: Things): Promise<void> {
  const { baseUrl, projectId, domain } = things
  const clientWith = (key: string) =>
    createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
  const api = clientWith(things.key)
  const reader = clientWith(things.assistantKey)
  const of = { params: { path: { projectId } } }

  const feedback = must(
    await api.GET('/v1/analytics/{projectId}/feedback', {
      params: { path: { projectId }, query: { source: 'contextual', limit: 10 } },
    }),
  )
  for (const entry of feedback.feedback) if ('helpful' in entry) expect<boolean>(entry.helpful)
  expect<string | null>(feedback.nextCursor)
  expect<number | undefined>(
    must(await api.GET('/v1/analytics/{projectId}/feedback/by-page', of)).feedback[0]?.thumbsUp,
  )
  expect<number>(must(await api.GET('/v1/analytics/{projectId}/views', of)).totals.human)
  expect<boolean>(must(await api.GET('/v1/analytics/{projectId}/visitors', of)).hasMore)
  for (const { lastSearchedAt } of must(await api.GET('/v1/analytics/{projectId}/searches', of)).searches)
    expect<string>(lastSearchedAt)

  const stream = await reader.POST('/discovery/v2/assistant/{domain}/message', {
    params: { path: { domain } },
    body: question(),
    parseAs: 'text',
  })
  expect<string>(must(stream))
  const threadId = stream.response.headers.get('X-Thread-Id') ?? ''
  const older = await reader.POST('/discovery/v1/assistant/{domain}/message', {
    params: { path: { domain } },
    body: { ...question(), threadId },
    parseAs: 'text',
  })
  expect<string>(must(older))
  const [found] = must(
    await reader.POST('/discovery/v1/search/{domain}', {
      params: { path: { domain } },
      body: { query: 'refund' },
    }),
  )
  const page = must(
    await reader.POST('/discovery/v1/page/{domain}', {
      params: { path: { domain } },
      body: { path: found?.path ?? '' },
    }),
  )
  expect<string | undefined>(page.content)
  const conversations = must(await api.GET('/v1/analytics/{projectId}/assistant', of))
  expect<'answered' | 'unanswered' | undefined>(conversations.conversations[0]?.resolutionStatus)
  const thread = must(
    await api.GET('/v1/analytics/{projectId}/assistant/threads/{threadId}', {
      params: { path: { projectId, threadId } },
    }),
  )
  expect<'user' | 'assistant' | undefined>(thread.messages[0]?.role)
  expect<number>(must(await api.GET('/v1/analytics/{projectId}/assistant/caller-stats', of)).api)

  const job = must(await api.POST('/v2/agent/{projectId}/job', { ...of, body: { prompt: 'Document it.' } }))
  const ofJob = { params: { path: { projectId, id: job.id } } }
  expect<'active' | 'completed' | 'archived' | 'failed'>(
    must(await api.GET('/v2/agent/{projectId}/job/{id}', ofJob)).status,
  )
  must(await api.POST('/v2/agent/{projectId}/job/{id}/message', { ...ofJob, body: { prompt: 'And more.' } }))
  const session = await api.POST('/v1/agent/{projectId}/job', {
    ...of,
    body: { messages: [{ role: 'user', content: 'Document it too.' }], asDraft: false, model: 'sonnet' },
    parseAs: 'stream',
  })
  await session.response.body?.cancel()
  const id = session.response.headers.get('X-Session-Id') ?? ''
  const read = must(await api.GET('/v1/agent/{projectId}/job/{id}', { params: { path: { projectId, id } } }))
  expect<boolean | undefined>(read.haulted)
  const sessions = must(
    await api.GET('/v1/agent/{projectId}/jobs', {
      params: { path: { projectId }, query: { skip: 0, take: 5 } },
    }),
  )
  expect<string | undefined>(sessions.allSessions?.[0]?.sessionId)

  const { jobId } = must(await api.POST('/v1/static-export/jobs', { body: { domain } }))
  expect<number>(
    must(await api.GET('/v1/static-export/jobs/{jobId}', { params: { path: { jobId } } })).progress,
  )
  await things.finishExport(jobId)
  expect<number>(
    must(await api.POST('/v1/static-export/jobs/{jobId}/bundle', { params: { path: { jobId } } })).sizeBytes,
  )

  for (const { statusId = '' } of [
    must(await api.POST('/v1/project/update/{projectId}', of)),
    must(await api.POST('/v1/project/preview/{projectId}', { ...of, body: { branch: 'next' } })),
  ])
    expect<'queued' | 'in_progress' | 'success' | 'failure' | undefined>(
      must(await api.GET('/v1/project/update-status/{statusId}', { params: { path: { statusId } } })).status,
    )
  const run = must(
    await api.POST('/v1/workflow/{projectId}/{workflowSchemaId}/trigger', {
      params: { path: { projectId, workflowSchemaId: things.automationId } },
    }),
  )
  expect<string | undefined>(run.jobId)
}

function question() {
  const parts = [{ type: 'text', text: 'What fees have refunds?' }]
  return { fp: 'anonymous', messages: [{ id: '1', role: 'user' as const, parts }] }
}

/** Checks the static type of a response. Its content is validated against the schema elsewhere. */
function expect<Wanted>(_value: Wanted): void {}

function must<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`)
  return data
}
