/** Every operation by the functions that openapi-typescript-codegen writes. */
import { UpstreamService as api, OpenAPI } from 'generated/codegen'
import type { Things } from './things.ts'

export async function callAll(things: Things): Promise<void> {
  const { projectId, domain } = things
  OpenAPI.BASE = things.baseUrl
  OpenAPI.TOKEN = things.key
  const feedback = await api.listFeedback({ projectId, limit: 10 })
  expect<string | null>(feedback.nextCursor)
  expect<number | undefined>((await api.feedbackByPage({ projectId })).feedback[0]?.thumbsUp)
  expect<number>((await api.listViews({ projectId, limit: 10, offset: 0 })).totals.human)
  expect<boolean>((await api.listVisitors({ projectId })).hasMore)
  for (const { lastSearchedAt } of (await api.listSearches({ projectId })).searches)
    expect<string>(lastSearchedAt)

  OpenAPI.TOKEN = things.assistantKey
  const messages = [
    { id: '1', role: 'user' as const, parts: [{ type: 'text', text: 'What fees have refunds?' }] },
  ]
  expect<string>(await api.sendMessage({ domain, requestBody: { fp: 'anonymous', messages } }))
  expect<string>(await api.sendMessageV1({ domain, requestBody: { fp: 'anonymous', messages } }))
  const [found] = await api.search({ domain, requestBody: { query: 'refund', pageSize: 3 } })
  expect<string | undefined>(
    (await api.getPage({ domain, requestBody: { path: found?.path ?? '' } })).content,
  )

  OpenAPI.TOKEN = things.key
  const { conversations } = await api.listConversations({ projectId })
  expect<string | undefined>(conversations[0]?.query)
  const { threadId } = conversations[0] as unknown as { threadId: string }
  expect<string>((await api.getThread({ projectId, threadId })).createdAt)
  expect<number>((await api.callerStats({ projectId })).total)

  const job = await api.createJob({ projectId, requestBody: { prompt: 'Document it.' } })
  expect<string | null>((await api.getJob({ projectId, id: job.id })).prLink)
  await api.sendFollowUp({ projectId, id: job.id, requestBody: { prompt: 'And more.' } })
  const { allSessions: before = [] } = await api.listSessions({ projectId, take: 100 })
  const messagesOfSession = [{ role: 'user' as const, content: 'Document it too.' }]
  const opened = api.createSession({ projectId, requestBody: { messages: messagesOfSession } })
  opened.catch(() => undefined)
  const { allSessions = [] } = await untilMore(before.length, () =>
    api.listSessions({ projectId, take: 100 }),
  )
  opened.cancel()
  const id = allSessions[0]?.sessionId ?? ''
  expect<boolean | undefined>((await api.getSession({ projectId, id })).haulted)

  const { jobId } = await api.startExport({ requestBody: { domain } })
  expect<number>((await api.getExport({ jobId })).progress)
  await things.finishExport(jobId)
  expect<string>((await api.makeBundle({ jobId })).bundleUrl)

  const { statusId: update = '' } = await api.triggerUpdate({ projectId })
  const { statusId: preview = '' } = await api.triggerPreview({ projectId, requestBody: { branch: 'next' } })
  for (const statusId of [update, preview])
    expect<string | undefined>((await api.getUpdateStatus({ statusId })).summary)
  const run = await api.triggerAutomation({ projectId, workflowSchemaId: things.automationId })
  expect<string | undefined>(run.instanceId)
}

/** The stream of a session is read by this client only when it ends: the session is there before. */
async function untilMore<List extends { allSessions?: unknown[] }>(
  before: number,
  read: () => Promise<List>,
): Promise<List> {
  for (;;) {
    const found = await read()
    if ((found.allSessions?.length ?? 0) > before) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Compiles when the type is what the description says; the answer itself is held against it elsewhere. */
function expect<Wanted>(_value: Wanted): void {}
