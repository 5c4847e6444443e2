/** Every response of the agent job operations over HTTP, without a worker. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AgentJob, AgentJobList, AgentReview } from '../../src/features/agent/operations/agent.ts'
import type { FeedbackDetail } from '../../src/features/feedback/operations/feedback.ts'
import { addFeedback, complete, create, createJob, jobPath, jobsOf, steer } from './agent-jobs.ts'
import {
  type ApiUnderTest,
  jsonRequest,
  makeKey,
  makeTenant,
  messagesOf,
  startApi,
  type Tenant,
  withKey,
} from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { agentJobs: { count: 1000, seconds: 3600 } } })
})
after(() => api[Symbol.asyncDispose]())

const errorOf = async (response: Response) => ((await response.json()) as { error: string }).error

describe('creating an agent job', () => {
  test('returns 201 with the Location of an active job', async () => {
    const response = await create(api, api.acme)
    assert.equal(response.status, 201)
    const job = (await response.json()) as AgentJob
    assert.match(job.id, /^aj_/)
    assert.equal(response.headers.get('location'), `${api.url}${jobPath(api.acme, job.id)}`)
    const { id, createdAt, updatedAt, ...rest } = job
    assert.deepEqual(rest, {
      status: 'active',
      source: { repository: '/nowhere', ref: 'HEAD' },
      model: 'test:model',
      effort: null,
      question: null,
      prLink: null,
      pullRequests: [],
      title: null,
      branch: null,
      error: null,
      errorCode: null,
      filesChanged: 0,
      unfinished: null,
      usage: { inputTokens: 0, outputTokens: 0 },
      archivedAt: null,
    })
    const read = await api.fetch(response.headers.get('location') as string, withKey(api.acme.key))
    assert.deepEqual(await read.json(), { ...job, queuedBehind: 0 })
  })

  test('reports all errors in the body at once', async () => {
    const response = await create(api, api.acme, { promt: 'x', feedbackIds: ['nothing'], questionIds: 'big' })
    assert.equal(response.status, 400)
    const messages = await messagesOf(response)
    assert.equal(messages.length, 4)
    assert.deepEqual(messages.slice(0, 2), [
      '`/prompt` is required',
      '`/promt` is not a known field; did you mean `prompt`?',
    ])
  })

  test('accepts a model and an effort that the project allows, and lists the allowed ones otherwise', async () => {
    const refusal = async (body: object) => {
      const response = await create(api, api.acme, { prompt: 'x', ...body })
      assert.equal(response.status, 400)
      return await messagesOf(response)
    }
    assert.deepEqual(await refusal({ model: 'test:other', effort: 'low' }), [
      '`/model` must be allowed for jobs of this project: `test:model`',
      '`/effort` cannot be set: the project allows no efforts for jobs',
    ])
    const allow = (agent: object) =>
      api.database.queries
        .updateTable('all_projects')
        .set({ agent: JSON.stringify(agent) })
        .where('id', '=', api.acme.projectId)
        .execute()
    await allow({ models: ['test:other'], efforts: ['high'] })
    assert.deepEqual(await refusal({ model: 'test:third', effort: 'low' }), [
      '`/model` must be allowed for jobs of this project: `test:model`, `test:other`',
      '`/effort` must be allowed for jobs of this project: `high`',
    ])
    const [message = ''] = await refusal({ effort: 'most' })
    assert.match(message, /`\/effort` .*low.*medium.*high/)
    for (const model of ['test:other', 'test:model']) {
      const response = await create(api, api.acme, { prompt: 'x', model, effort: 'high' })
      assert.equal(response.status, 201)
      const job = (await response.json()) as AgentJob
      assert.deepEqual([job.model, job.effort], [model, 'high'])
    }
    await allow({})
  })

  test('rejects an empty prompt, and accepts a blank one and one of 900 kB', async () => {
    assert.equal((await create(api, api.acme, { prompt: '' })).status, 400)
    assert.equal((await create(api, api.acme, { prompt: ' \n' })).status, 201)
    assert.equal((await create(api, api.acme, { prompt: 'x'.repeat(900_000) })).status, 201)
  })

  test('rejects a body over 1 MiB with 413 and one that is not JSON with 415', async () => {
    assert.equal((await create(api, api.acme, { prompt: 'x'.repeat(1_048_576) })).status, 413)
    const form = withKey(api.acme.key, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: 'x',
    })
    assert.equal((await api.fetch(`/v2/agent/${api.acme.projectId}/job`, form)).status, 415)
  })

  test('returns the same 404 for a project of another organization and a missing one', async () => {
    const body = { prompt: 'x' }
    const foreign = await create(api, { ...api.acme, projectId: api.other.projectId }, body)
    const unknown = await create(api, { ...api.acme, projectId: 'prj_nothing' }, body)
    assert.deepEqual([foreign.status, unknown.status], [404, 404])
    assert.equal(await foreign.text(), await unknown.text())
  })

  test('requires a key with write scope', async () => {
    const read = await api.database.transaction((tx) =>
      makeKey(tx, api.acme.organizationId, { scopes: ['read'] }),
    )
    assert.equal((await create(api, { ...api.acme, key: read })).status, 403)
    assert.equal((await create(api, { ...api.acme, key: 'oct_nothing' })).status, 401)
  })

  test('sets the named feedback to in progress', async () => {
    const feedbackIds = await addFeedback(api, api.acme, ['The flag is missing.', 'Where is the flag?'])
    assert.equal((await create(api, api.acme, { prompt: 'Answer it.', feedbackIds })).status, 201)
    for (const id of feedbackIds) {
      const entry = await api.fetch(
        `/v1/analytics/${api.acme.projectId}/feedback/${id}`,
        withKey(api.acme.key),
      )
      assert.equal(((await entry.json()) as FeedbackDetail).status, 'in_progress')
    }
  })

  test('rejects feedback that another job is working on', async () => {
    const feedbackIds = await addFeedback(api, api.acme, ['One job is enough.'])
    const first = await create(api, api.acme, { prompt: 'Answer it.', feedbackIds })
    assert.equal(first.status, 201)
    const { id } = (await first.json()) as { id: string }
    const second = await create(api, api.acme, { prompt: 'Answer it too.', feedbackIds })
    assert.equal(second.status, 400)
    assert.match(
      (await messagesOf(second)).join(),
      new RegExp(`${feedbackIds[0]} is part of the running job ${id}`),
    )
  })

  test('reports each feedback id outside the project and takes up no feedback', async () => {
    const [own = ''] = await addFeedback(api, api.acme, ['Mine.'])
    const [foreign = ''] = await addFeedback(api, api.other, ['Theirs.'])
    const feedbackIds = [foreign, own, 'fb_nothing']
    const response = await create(api, api.acme, { prompt: 'x', feedbackIds })
    assert.equal(response.status, 400)
    const messages = await messagesOf(response)
    assert.equal(messages.length, 2)
    assert.match(messages[0] ?? '', new RegExp(foreign))
    assert.match(messages[1] ?? '', /fb_nothing/)
    const entry = await api.fetch(
      `/v1/analytics/${api.acme.projectId}/feedback/${own}`,
      withKey(api.acme.key),
    )
    assert.equal(((await entry.json()) as FeedbackDetail).status, 'pending')
  })
})

describe('without a model', () => {
  test('create and message return 503 with the setting to configure, and other operations work', async () => {
    await using bare = await startApi({ beside: api, modelName: null })
    const job = await createJob(api, api.acme)
    await complete(api, job.id)
    for (const response of [
      await create(bare, api.acme),
      await steer(bare, api.acme, job.id, 'message', { prompt: 'More.' }),
    ]) {
      assert.equal(response.status, 503)
      assert.match(
        await errorOf(response),
        /^No AI model is configured\. Set OCTAVO_MODEL, for example OCTAVO_MODEL=/,
      )
    }
    assert.equal((await bare.fetch(jobPath(api.acme, job.id), withKey(api.acme.key))).status, 200)
    assert.equal((await steer(bare, api.acme, job.id, 'archive')).status, 200)
  })
})

describe('agent jobs', () => {
  test('returns the same 404 for a job of another organization or project as for a missing one', async () => {
    const job = await createJob(api, api.acme)
    const places = [
      jobPath({ ...api.acme, projectId: api.other.projectId }, job.id),
      jobPath(api.other, job.id),
      jobPath(api.other, 'aj_nothing'),
    ]
    const bodies = new Set<string>()
    for (const path of places) {
      for (const [suffix, method] of [
        ['', 'GET'],
        ['/events', 'GET'],
        ['/review', 'GET'],
        ['/cancel', 'POST'],
        ['/archive', 'POST'],
        ['/accept', 'POST'],
        ['/decline', 'POST'],
      ] as const) {
        const response = await api.fetch(path + suffix, withKey(api.other.key, { method }))
        assert.equal(response.status, 404, `${method} ${path}${suffix}`)
        bodies.add(await response.text())
      }
    }
    assert.deepEqual([...bodies], ['{"error":"Not found","code":"not_found"}'])
  })

  test('an active job is cancelled once and fails with the reason', async () => {
    const job = await createJob(api, api.acme)
    const cancelled = (await (await steer(api, api.acme, job.id, 'cancel')).json()) as AgentJob
    assert.deepEqual([cancelled.status, cancelled.errorCode], ['failed', 'cancelled'])
    assert.match(cancelled.error ?? '', /cancelled/)
    const again = await steer(api, api.acme, job.id, 'cancel')
    assert.equal(again.status, 409)
    assert.match(await errorOf(again), /failed/)
  })

  test('a job without a checked change cannot be published again', async () => {
    const job = await createJob(api, api.acme)
    assert.match(await errorOf(await steer(api, api.acme, job.id, 'publish')), /no change to publish/)
    await steer(api, api.acme, job.id, 'cancel')
    assert.equal((await steer(api, api.acme, job.id, 'publish')).status, 409)
    assert.equal((await steer(api, api.other, job.id, 'publish')).status, 404)
  })

  test('a message to a finished job makes it active again', async () => {
    const job = await createJob(api, api.acme)
    await complete(api, job.id)
    const response = await steer(api, api.acme, job.id, 'message', { prompt: 'And the other page.' })
    assert.deepEqual([response.status, ((await response.json()) as AgentJob).status], [200, 'active'])
    assert.equal((await steer(api, api.acme, job.id, 'message', { prompt: '' })).status, 400)
    assert.equal((await steer(api, api.acme, job.id, 'message', {})).status, 400)
  })

  test('archiving a job is permanent and idempotent', async () => {
    const job = await createJob(api, api.acme)
    const archived = (await (await steer(api, api.acme, job.id, 'archive')).json()) as AgentJob
    assert.equal(archived.status, 'archived')
    assert.notEqual(archived.archivedAt, null)
    assert.deepEqual(await (await steer(api, api.acme, job.id, 'archive')).json(), archived)
    const message = await steer(api, api.acme, job.id, 'message', { prompt: 'More.' })
    assert.equal(message.status, 409)
    assert.match(await errorOf(message), /archived/)
    assert.equal((await steer(api, api.acme, job.id, 'cancel')).status, 409)
  })

  test('a message to a job whose pull request was merged makes it active again', async () => {
    const job = await createJob(api, api.acme)
    await api.database.queries
      .updateTable('agent_jobs')
      .set({
        status: 'completed',
        pull_request_link: 'https://git.example.com/pulls/1',
        pull_request_state: 'merged',
        branch: 'octavo/x',
      })
      .where('id', '=', job.id)
      .execute()
    const message = await steer(api, api.acme, job.id, 'message', { prompt: 'More.' })
    assert.equal(message.status, 200)
    const read = (await (
      await api.fetch(jobPath(api.acme, job.id), withKey(api.acme.key))
    ).json()) as AgentJob
    assert.equal(read.status, 'active')
  })

  test('a job without a change cannot be accepted or declined', async () => {
    const job = await createJob(api, api.acme)
    for (const word of ['accept', 'decline']) {
      const response = await steer(api, api.acme, job.id, word)
      assert.equal(response.status, 409)
      assert.match(await errorOf(response), /still working/)
    }
    await complete(api, job.id)
    for (const word of ['accept', 'decline']) {
      const response = await steer(api, api.acme, job.id, word)
      assert.equal(response.status, 409)
      assert.match(await errorOf(response), /no changes/)
    }
    const review = await api.fetch(`${jobPath(api.acme, job.id)}/review`, withKey(api.acme.key))
    assert.equal(review.status, 200)
    const { state, isLocal, prompts, files } = (await review.json()) as AgentReview
    assert.deepEqual(
      { state, isLocal, prompts, files },
      { state: 'none', isLocal: true, prompts: ['Document the new flag.'], files: [] },
    )
  })

  test('cancel, archive, accept and decline reject a request body', async () => {
    const job = await createJob(api, api.acme)
    for (const word of ['cancel', 'archive', 'accept', 'decline']) {
      assert.equal((await steer(api, api.acme, job.id, word, { why: 'x' })).status, 400)
    }
  })
})

describe('the list of agent jobs', () => {
  test('is paged newest first with a cursor that is valid only for its project', async () => {
    const tenant = await makeTenant(api.database, { name: 'walked', plan: 'pro' })
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift((await createJob(api, tenant)).id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query = cursor === null ? '' : `&cursor=${cursor}`
      const page = (await (
        await api.fetch(`${jobsOf(tenant)}?limit=2${query}`, withKey(tenant.key))
      ).json()) as AgentJobList
      seen.push(...page.jobs.map(({ id }) => id))
      assert.equal(page.hasMore, page.nextCursor !== null)
      cursor = page.nextCursor
      if (cursor !== null)
        assert.equal(
          (await api.fetch(`${jobsOf(api.acme)}?cursor=${cursor}`, withKey(api.acme.key))).status,
          400,
        )
    } while (cursor !== null)
    assert.deepEqual(seen, ids)
  })

  test('rejects invalid parameters and a project of another organization', async () => {
    const list = (query: string, path = jobsOf(api.acme)) => api.fetch(path + query, withKey(api.acme.key))
    assert.equal((await list('?limit=0')).status, 400)
    assert.equal((await list('?cursor=altered')).status, 400)
    assert.equal((await list('?state=active')).status, 400)
    assert.equal((await list('', jobsOf(api.other))).status, 404)
  })
})

test('the OpenAPI description of agent jobs has every path with its parameter names', async () => {
  const response = await api.fetch('/openapi/agent.json')
  const { paths } = (await response.json()) as { paths: Record<string, object> }
  assert.deepEqual(Object.keys(paths).sort(), [
    '/v1/agent/{projectId}/job',
    '/v1/agent/{projectId}/job/{id}',
    '/v1/agent/{projectId}/jobs',
    '/v1/statements/{projectId}',
    '/v1/statements/{projectId}/{statementId}/confirm',
    '/v1/workflow/{projectId}/{workflowSchemaId}/trigger',
    '/v2/agent/{projectId}/automations',
    '/v2/agent/{projectId}/automations/{automationId}',
    '/v2/agent/{projectId}/automations/{automationId}/address',
    '/v2/agent/{projectId}/automations/{automationId}/run',
    '/v2/agent/{projectId}/automations/{automationId}/runs',
    '/v2/agent/{projectId}/code-repositories',
    '/v2/agent/{projectId}/code-repositories/{repositoryId}',
    '/v2/agent/{projectId}/commit-key',
    '/v2/agent/{projectId}/job',
    '/v2/agent/{projectId}/job/{id}',
    '/v2/agent/{projectId}/job/{id}/accept',
    '/v2/agent/{projectId}/job/{id}/archive',
    '/v2/agent/{projectId}/job/{id}/cancel',
    '/v2/agent/{projectId}/job/{id}/decline',
    '/v2/agent/{projectId}/job/{id}/events',
    '/v2/agent/{projectId}/job/{id}/message',
    '/v2/agent/{projectId}/job/{id}/publish',
    '/v2/agent/{projectId}/job/{id}/review',
    '/v2/agent/{projectId}/jobs',
  ])
})

describe('agent API v1', () => {
  const sessions = ({ projectId }: Tenant, rest: string) => `/v1/agent/${projectId}/${rest}`
  const begin = (tenant: Tenant, body: object, headers = {}) =>
    api.fetch(sessions(tenant, 'job'), jsonRequest('POST', tenant.key, body, headers))
  const asked = (content: string) => ({ messages: [{ role: 'user', content }] })

  /** Reads the stream up to the first `job` event, then disconnects. */
  async function firstEvents(response: Response): Promise<string> {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    while (!text.includes('event: job')) {
      const { done, value } = await reader.read()
      if (done) break
      text += Buffer.from(value).toString()
    }
    await reader.cancel()
    return text
  }

  test('starts a job and streams its events, with successor and sunset headers', async () => {
    const response = await fetch(
      api.url + sessions(api.acme, 'job'),
      jsonRequest('POST', api.acme.key, asked('Document the --region flag.')),
    )
    const { headers } = response
    const id = headers.get('x-session-id') as string
    assert.deepEqual(
      [response.status, headers.get('content-type')],
      [200, 'text/event-stream; charset=utf-8'],
    )
    assert.match(headers.get('x-branch-name') ?? '', /^octavo\/document-the-region-flag-\w{8}$/)
    assert.match(await firstEvents(response), new RegExp(`"id":"${id}".*"status":"active"`))
    assert.equal(headers.get('deprecation'), `@${Date.UTC(2026, 11, 1) / 1000}`)
    assert.equal(headers.get('sunset'), 'Sat, 01 Jan 2028 00:00:00 GMT')
    assert.equal(headers.get('link'), `</v2/agent/${api.acme.projectId}/job>; rel="successor-version"`)
    const job = (await (await api.fetch(jobPath(api.acme, id), withKey(api.acme.key))).json()) as AgentJob
    assert.equal(job.branch, headers.get('x-branch-name'))
    const read = await api.fetch(sessions(api.acme, `job/${id}`), withKey(api.acme.key))
    assert.ok(read.headers.has('sunset'))
    assert.deepEqual(await read.json(), {
      ...{ sessionId: id, subdomain: api.acme.domain, branch: job.branch, todos: [] },
      ...{ haulted: false, haultReason: 'processing', createdAt: job.createdAt },
    })
    await complete(api, id)
    const done = (await (await api.fetch(sessions(api.acme, `job/${id}`), withKey(api.acme.key))).json()) as {
      haultReason: string
    }
    assert.equal(done.haultReason, 'completed')
  })

  test('a repeated request with an Idempotency-Key streams the same job', async () => {
    const once = { 'Idempotency-Key': 'one session' }
    const open = () =>
      fetch(api.url + sessions(api.acme, 'job'), jsonRequest('POST', api.acme.key, asked('Once.'), once))
    const first = await open()
    await firstEvents(first)
    const again = await open()
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.headers.get('x-session-id'), first.headers.get('x-session-id'))
    assert.match(await firstEvents(again), new RegExp(first.headers.get('x-session-id') ?? 'none'))
  })

  test('a named branch can be used by one job only', async () => {
    const branch = 'octavo/by-people'
    const open = () =>
      fetch(api.url + sessions(api.acme, 'job'), jsonRequest('POST', api.acme.key, { ...asked('x'), branch }))
    const first = await open()
    assert.equal(first.headers.get('x-branch-name'), branch)
    await first.body?.cancel()
    const second = await open()
    assert.match((await messagesOf(second)).join(), /is the branch of the job aj_/)
    assert.equal(second.status, 400)
  })

  test('lists only jobs of the project, with skip and take', async () => {
    const tenant = await makeTenant(api.database, { name: 'sessions', plan: 'pro' })
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift((await createJob(api, tenant)).id)
    const list = async (query: string) => {
      const response = await api.fetch(sessions(tenant, `jobs${query}`), withKey(tenant.key))
      assert.equal(response.status, 200)
      const { allSessions } = (await response.json()) as { allSessions: { sessionId: string }[] }
      return allSessions.map(({ sessionId }) => sessionId)
    }
    assert.deepEqual(await list(''), ids)
    assert.deepEqual(await list('?skip=1&take=1'), ids.slice(1, 2))
    assert.equal((await api.fetch(sessions(tenant, 'jobs?take=101'), withKey(tenant.key))).status, 400)
    assert.equal((await api.fetch(sessions(tenant, 'jobs'), withKey(api.other.key))).status, 404)
  })

  for (const [what, body, message] of [
    ['no message of a user', { messages: [{ role: 'system', content: 'Be brief.' }] }, /role `user`/],
    ['a name that is no branch', { ...asked('x'), branch: '../main' }, /\/branch/],
    ['a branch that is not for jobs', { ...asked('x'), branch: 'main' }, /such as `octavo\/new-flag`/],
    ['a draft', { ...asked('x'), asDraft: true }, /asDraft/],
  ] as const)
    test(`refuses ${what}`, async () => {
      const response = await begin(api.acme, body)
      assert.equal(response.status, 400)
      assert.match((await messagesOf(response)).join('\n'), message)
    })
})
