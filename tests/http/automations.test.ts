/** Automation operations over HTTP and their triggers, without a worker. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AutomationScene, openAutomationScene } from '../automations/automation-scene.ts'
import { jsonRequest, messagesOf, withKey } from './api-under-test.ts'

let scene: AutomationScene
before(async () => {
  scene = await openAutomationScene()
})
after(() => scene[Symbol.asyncDispose]())

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]

describe('creating and changing automations', () => {
  test('returns a new automation with its Location and reads it back unchanged', async () => {
    const { api } = scene
    const wanted = {
      name: 'Translations',
      trigger: { kind: 'push', pages: ['/guides/**'] },
      prompt: 'Bring the German pages up to date.',
      scope: ['de/**', 'docs.json'],
      budget: { steps: 40, runsPerDay: 5 },
    }
    const response = await api.fetch(scene.path(), jsonRequest('POST', api.acme.key, wanted))
    assert.equal(response.status, 201)
    const made = (await response.json()) as { automationId: string; address: null }
    assert.equal(response.headers.get('location'), `${api.url}${scene.path(made.automationId)}`)
    const { address, ...shown } = made
    assert.equal(address, null)
    const read = await api.fetch(scene.path(made.automationId), withKey(api.acme.key))
    assert.deepEqual(await read.json(), shown)
    assert.partialDeepStrictEqual(shown, {
      ...wanted,
      model: null,
      dryRun: false,
      paused: false,
      lastRunAt: null,
    })
    const list = await api.fetch(scene.path(), withKey(api.acme.key))
    assert.deepEqual(((await list.json()) as { automations: object[] }).automations[0], shown)
  })

  test('reports all errors at once with their fields', async () => {
    const bad = {
      name: ' ',
      trigger: { kind: 'schedule', every: 'day', timeZone: 'Europe/Atlantis' },
      prompt: 'x'.repeat(10_001),
      model: 'nonsense',
      scope: ['guides/**', '../src/**'],
    }
    const response = await scene.api.fetch(scene.path(), jsonRequest('POST', scene.api.acme.key, bad))
    assert.equal(response.status, 400)
    const messages = (await messagesOf(response)).join('\n')
    for (const field of ['/name', '/prompt', '/trigger/timeZone', '/model', '/scope/1'])
      assert.ok(messages.includes(field), messages)
  })

  test('a schedule takes an interval or a cron expression and reports what is wrong with it', async () => {
    const ask = async (trigger: object) =>
      await scene.api.fetch(
        scene.path(),
        jsonRequest('POST', scene.api.acme.key, {
          name: 'cron',
          prompt: 'x',
          paused: true,
          trigger: { kind: 'schedule', ...trigger },
        }),
      )
    for (const [trigger, words] of [
      [{ cron: '0 9 * * 8' }, '`/trigger/cron` never occurs'],
      [{ cron: 'soon' }, '`/trigger/cron` must have five fields'],
      [{ cron: '* * * * *' }, '`/trigger/cron` must leave at least 5 minutes'],
      [{ cron: '0 9 * * *', every: 'day' }, 'must have either `every` or `cron`'],
      [{}, 'must have either `every` or `cron`'],
    ] as const) {
      const response = await ask(trigger)
      assert.equal(response.status, 400)
      const messages = (await messagesOf(response)).join('\n')
      assert.ok(messages.includes(words), messages)
    }
    const made = await ask({ cron: '0 9 * * MON-FRI', timeZone: 'Europe/Berlin' })
    assert.equal(made.status, 201)
    const { automationId } = (await made.json()) as { automationId: string }
    const { nextRunAt } = await scene.update(automationId, { paused: false })
    assert.match(nextRunAt ?? '', /T0[78]:00:00\.000Z$/)
    await scene.update(automationId, { paused: true })
  })

  test('rejects unsupported trigger kinds', async () => {
    for (const kind of ['comment', 'pull_request', '', null]) {
      const body = { name: 'x', prompt: 'x', trigger: { kind } }
      const response = await scene.api.fetch(scene.path(), jsonRequest('POST', scene.api.acme.key, body))
      assert.equal(response.status, 400)
    }
  })

  test('the kind of a trigger is fixed, and everything else can be changed', async () => {
    const { automationId: id } = await scene.create({ trigger: { kind: 'schedule', every: 'week' } })
    const change = jsonRequest('PATCH', scene.api.acme.key, { trigger: { kind: 'push' } })
    assert.deepEqual(await codeOf(await scene.api.fetch(scene.path(id), change)), [
      409,
      'automation_kind_fixed',
    ])
    const trigger = { kind: 'schedule', every: 'hour', minute: 30 }
    const changed = await scene.update(id, { trigger, name: 'Hourly', paused: true })
    assert.partialDeepStrictEqual(changed, { trigger, name: 'Hourly', paused: true, nextRunAt: null })
    const on = await scene.update(id, { paused: false })
    assert.equal(new Date(on.nextRunAt ?? 0).getUTCMinutes(), 30)
  })

  test('a project is limited to 50 automations, also when they are created in parallel', async () => {
    const { api } = scene
    const path = `/v2/agent/${api.other.projectId}/automations`
    const body = { name: 'x', prompt: 'x', trigger: { kind: 'push' } }
    const answers = await Promise.all(
      Array.from({ length: 55 }, () => api.fetch(path, jsonRequest('POST', api.other.key, body))),
    )
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, 50)
    const [refused] = answers.filter(({ status }) => status !== 201)
    assert.deepEqual(refused && (await codeOf(refused)), [409, 'too_many_automations'])
  })

  test('deleting an automation keeps its job', async () => {
    const { automationId: id } = await scene.create({})
    await scene.look(id)
    const [run] = await scene.runs(id)
    const { key, projectId } = scene.api.acme
    const gone = await scene.api.fetch(scene.path(id), withKey(key, { method: 'DELETE' }))
    assert.equal(gone.status, 200)
    assert.equal((await scene.api.fetch(scene.path(id), withKey(key))).status, 404)
    const job = await scene.api.fetch(`/v2/agent/${projectId}/job/${run?.jobId}`, withKey(key))
    assert.equal(job.status, 200)
  })
})

describe('manual runs', () => {
  test('a run starts a job, also through the endpoint of other platforms', async () => {
    const { api } = scene
    const { automationId: id } = await scene.create({})
    const ours = await api.fetch(scene.path(id, 'run'), withKey(api.acme.key, { method: 'POST' }))
    assert.equal(ours.status, 202)
    const run = (await ours.json()) as { state: string; cause: string; jobId: string }
    assert.deepEqual([run.state, run.cause], ['started', 'hand'])
    const path = `/v1/workflow/${api.acme.projectId}/${id}/trigger`
    const theirs = await api.fetch(path, withKey(api.acme.key, { method: 'POST' }))
    assert.equal(theirs.status, 202)
    const answer = (await theirs.json()) as { schemaId: string; instanceId: string; jobId: string }
    assert.deepEqual([answer.schemaId, answer.jobId], [id, run.jobId])
    assert.equal((await scene.runs(id))[0]?.runId, answer.instanceId)
  })

  test('repeated requests with one Idempotency-Key make one run', async () => {
    const { api } = scene
    const { automationId: id } = await scene.create({})
    const path = `/v1/workflow/${api.acme.projectId}/${id}/trigger`
    const init = { method: 'POST', headers: { 'Idempotency-Key': 'once' } }
    const answers = await Promise.all([1, 2, 3].map(() => api.fetch(path, withKey(api.acme.key, init))))
    assert.ok(answers.some(({ status }) => status === 202))
    assert.equal((await scene.runs(id)).length, 1)
  })

  test('a missing automation and one of another organization get the same 404', async () => {
    const { api } = scene
    const { automationId: id } = await scene.create({})
    const post = withKey(api.other.key, { method: 'POST' })
    const foreign = await api.fetch(`/v1/workflow/${api.acme.projectId}/${id}/trigger`, post)
    const elsewhere = await api.fetch(`/v1/workflow/${api.other.projectId}/${id}/trigger`, post)
    const unknown = await api.fetch(`/v1/workflow/${api.other.projectId}/aut_nothing/trigger`, post)
    assert.deepEqual([foreign.status, elsewhere.status, unknown.status], [404, 404, 404])
    assert.equal(await foreign.text(), await unknown.text())
  })

  test('a run with nothing to do is skipped with the reason', async () => {
    const { automationId: id } = await scene.create({ trigger: { kind: 'feedback', count: 50 } })
    const request = withKey(scene.api.acme.key, { method: 'POST' })
    const run = await (await scene.api.fetch(scene.path(id, 'run'), request)).json()
    assert.partialDeepStrictEqual(run, { state: 'skipped', reason: 'no_change', jobId: null })
    const path = `/v1/workflow/${scene.api.acme.projectId}/${id}/trigger`
    const theirs = (await (await scene.api.fetch(path, request)).json()) as { instanceId: string }
    assert.deepEqual(theirs, { schemaId: id, instanceId: theirs.instanceId })
  })

  test('runs are listed newest first, page by page', async () => {
    const { automationId: id } = await scene.create({ dryRun: true })
    for (let count = 0; count < 5; count++) await scene.look(id)
    const all = await scene.runs(id)
    assert.equal(all.length, 5)
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const path = `${scene.path(id, 'runs')}?limit=2${cursor && `&cursor=${cursor}`}`
      const page = (await (await scene.api.fetch(path, withKey(scene.api.acme.key))).json()) as {
        runs: { runId: string }[]
        nextCursor: string | null
      }
      seen.push(...page.runs.map(({ runId }) => runId))
      if (page.nextCursor === null) break
      cursor = encodeURIComponent(page.nextCursor)
    }
    assert.deepEqual(
      seen,
      all.map(({ runId }) => runId),
    )
  })
})

describe('webhook triggers', () => {
  const send = (address: string, body: string, headers: Record<string, string> = {}) =>
    fetch(address, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })

  test('accepts Slack-style messages as JSON, form or plain text', async () => {
    const { automationId: id, address } = await scene.create({ trigger: { kind: 'webhook' } })
    assert.ok(address)
    const response = await send(address, JSON.stringify({ text: 'Release 2.0. Ask ada@example.com.' }))
    assert.equal(response.status, 202)
    const { jobId, state } = (await response.json()) as { jobId: string; state: string }
    assert.equal(state, 'started')
    const [prompt] = await scene.prompts(jobId)
    assert.equal(prompt?.prompt, 'Look after the docs.')
    assert.equal(prompt?.told[0]?.text, 'Release 2.0. Ask [email address removed].')
    const same = await send(address, JSON.stringify({ text: 'Release 2.0. Ask ada@example.com.' }))
    assert.deepEqual(((await same.json()) as { jobId: string }).jobId, jobId)
    const form = new URLSearchParams({ payload: JSON.stringify({ text: 'Of a form', topic: 'releases' }) })
    const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' }
    assert.equal((await send(address, form.toString(), asForm)).status, 202)
    assert.equal((await send(address, 'plain', { 'Content-Type': 'text/plain' })).status, 202)
    assert.equal((await send(address, '{"alert":{"name":"down"}}')).status, 202)
    const topics = (await scene.runs(id)).map(({ topic }) => topic)
    assert.ok(topics.includes('releases'))
    assert.equal(new Set(topics).size, 4)
  })

  test('accepts a deeply nested message without reformatting it', async () => {
    const { address } = await scene.create({ trigger: { kind: 'webhook' } })
    const deep = `${'['.repeat(9000)}1${']'.repeat(9000)}`
    const response = await send(address ?? '', deep)
    assert.equal(response.status, 202)
    const { jobId } = (await response.json()) as { jobId: string }
    const [prompt] = await scene.prompts(jobId)
    assert.ok(prompt?.told[0]?.text.startsWith('[[[['), 'without white space between')
  })

  test('repeated messages with one Webhook-Id make one run, also in parallel', async () => {
    const { automationId: id, address } = await scene.create({ trigger: { kind: 'webhook' } })
    const named = { 'Webhook-Id': 'msg_1' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send(address ?? '', '{"text":"x"}', named).then((one) => one.json())),
    )
    assert.equal(new Set(answers.map((one) => (one as { runId: string }).runId)).size, 1)
    assert.equal((await scene.runs(id)).length, 1)
  })

  test('accepts an Idempotency-Key like every POST', async () => {
    const { automationId: id, address } = await scene.create({ trigger: { kind: 'webhook' } })
    const under = (key: string, body: string) => send(address ?? '', body, { 'Idempotency-Key': key })
    const first = await under('k', '{"text":"x"}')
    assert.deepEqual([first.status, first.headers.has('idempotent-replayed')], [202, false])
    const again = await under('k', '{"text":"x"}')
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [202, 'true'])
    assert.equal(await again.text(), await first.text())
    assert.deepEqual(await codeOf(await under('k', '{"text":"y"}')), [422, 'idempotency_body_differs'])
    assert.deepEqual(await codeOf(await under('k'.repeat(256), '{"text":"x"}')), [400, 'invalid_request'])
    assert.equal((await scene.runs(id)).length, 1)
    const renew = withKey(scene.api.acme.key, { method: 'POST' })
    assert.equal((await scene.api.fetch(scene.path(id, 'address'), renew)).status, 200)
    assert.deepEqual(await codeOf(await under('k', '{"text":"x"}')), [404, 'not_found'])
  })

  test('rejects wrong addresses, and the old address after it was renewed', async () => {
    const { automationId: id, address } = await scene.create({ trigger: { kind: 'webhook' } })
    const right = new URL(address ?? '')
    const wrong = right.href.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    for (const href of [wrong, right.href.replace(id, 'aut_none'), `${right.href}x`])
      assert.deepEqual(await codeOf(await send(href, '{"text":"x"}')), [404, 'not_found'])
    const other = await scene.create({})
    const renew = withKey(scene.api.acme.key, { method: 'POST' })
    const refused = await scene.api.fetch(scene.path(other.automationId, 'address'), renew)
    assert.deepEqual(await codeOf(refused), [409, 'automation_without_address'])
    const renewed = await scene.api.fetch(scene.path(id, 'address'), renew)
    const { address: next } = (await renewed.json()) as { address: string }
    assert.equal((await send(right.href, '{"text":"x"}')).status, 404)
    assert.equal((await send(next, '{"text":"x"}')).status, 202)
  })

  test('rejects empty and oversized messages and limits their rate', async () => {
    const { address = '' } = await scene.create({ trigger: { kind: 'webhook' }, paused: true })
    const to = address ?? ''
    assert.equal((await send(to, '{"text":" "')).status, 400)
    assert.equal((await send(to, '{}')).status, 400)
    const long = await send(to, JSON.stringify({ text: 'x'.repeat(70_000) }))
    assert.equal(long.status, 413)
    assert.match(await long.text(), /"The body is larger than 64 KiB\. /)
    assert.equal((await send(to, '<x/>', { 'Content-Type': 'text/xml' })).status, 415)
    const told: [number, string | null][] = []
    for (let count = 0; count < 61; count++) {
      const { status, headers } = await send(to, `{"text":"${count}"}`)
      assert.equal(headers.get('ratelimit-policy'), '"automationMessages";q=60;w=3600')
      told.push([status, headers.get('x-ratelimit-remaining')])
    }
    assert.deepEqual(
      [told[0], told[59], told[60]],
      [
        [202, '59'],
        [202, '0'],
        [429, '0'],
      ],
    )
  })
})
