/** Live project changes reach everyone who views the project, whoever made them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log.ts'
import type { Queries } from '../../src/database/database.ts'
import { insertDeployment } from '../../src/features/hosting/deploy/store.ts'
import type { ProjectEvent } from '../../src/features/projects/operations/projects.ts'
import { createProjectWatch } from '../../src/features/projects/project-changes.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { type ApiUnderTest, makeTenant, startApi } from './api-under-test.ts'
import { type DashboardScene, type MemberUnderTest, openDashboard } from './dashboard-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let count = 0

before(async () => {
  api = await startApi({ poolSize: 20 })
  dashboard = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

const tenant = () => makeTenant(api.database, { name: `live-${++count}`, plan: 'enterprise' })

async function* eventsOf(member: MemberUnderTest, projectId: string, headers: Record<string, string> = {}) {
  const response = await member.ask(`/internal/projects/${projectId}/events`, { headers })
  assert.equal(response.status, 200)
  let text = ''
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event] = /^event: (.+)$/m.exec(block) ?? []
      const [, data] = /^data: (.+)$/m.exec(block) ?? []
      if (event !== undefined) yield { event, data: JSON.parse(data ?? 'null') as unknown }
    }
  }
}

test('votes, reviews, settings and deployments are sent only to followers of the project', async () => {
  const site = await tenant()
  const admin = await dashboard.member('admin', site)
  const viewer = await dashboard.member('viewer', site)
  const [old] = await putRows(api.database, site.projectId, [
    { source: 'agent', comment: 'old', createdAt: null },
  ])
  await putRows(
    api.database,
    site.projectId,
    Array.from({ length: 120 }, () => ({})),
  )
  const mine = eventsOf(admin, site.projectId)
  const theirs = eventsOf(viewer, site.projectId)
  await mine.next()
  await theirs.next()
  const expect = async (kind: ProjectEvent['kind'], id: string | undefined) => {
    for (const stream of [mine, theirs])
      assert.deepEqual((await stream.next()).value, { event: 'change', data: { kind, id } })
  }
  const [vote] = await putRows(api.database, site.projectId, [{}])
  await expect('feedback', vote)
  await admin.patch(`/v1/analytics/${site.projectId}/feedback/${old}`, { status: 'resolved' })
  await expect('feedback', old)
  const { updatedAt } = await admin.json<{ updatedAt: string }>(`/internal/projects/${site.projectId}`)
  await admin.patch(`/internal/projects/${site.projectId}`, { updatedAt, name: 'New name' })
  await expect('project', site.projectId)
  const { id } = await insertDeployment(api.database.queries, { id: createId('dep'), ...site })
  await expect('deployment', id)
  const [another] = await putRows(api.database, api.other.projectId, [{}])
  await api.database.queries
    .updateTable('feedback')
    .set({ comment: 'more' })
    .where('id', '=', vote as string)
    .execute()
  await api.database.queries
    .deleteFrom('feedback')
    .where('id', '=', another as string)
    .execute()
  const [last] = await putRows(api.database, site.projectId, [{}])
  const seen = new Set<unknown>()
  while (!seen.has(last)) {
    const { value } = await mine.next()
    seen.add((value as { data: ProjectEvent }).data.id)
  }
  assert.ok(!seen.has(another))
  await Promise.all([mine.return(undefined), theirs.return(undefined)])
})

test('the stream ends for removed members and signed-out users', async () => {
  const site = await tenant()
  const gone = await dashboard.member('viewer', site)
  const signedOut = await dashboard.member('viewer', site)
  const streams = [eventsOf(gone, site.projectId), eventsOf(signedOut, site.projectId)]
  for (const stream of streams) await stream.next()
  const { queries } = api.database
  await queries.deleteFrom('members').where('user_id', '=', gone.userId).execute()
  await queries.deleteFrom('sessions').where('user_id', '=', signedOut.userId).execute()
  await putRows(api.database, site.projectId, [{}])
  for (const stream of streams) assert.equal((await stream.next()).done, true)
})

test('the result of a domain check is sent as a change of its project', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const stream = eventsOf(viewer, site.projectId)
  await stream.next()
  await api.database.queries
    .updateTable('project_domains')
    .set({ reason: 'There is no TXT record.', updated_at: new Date() })
    .where('project_id', '=', site.projectId)
    .execute()
  const { value } = await stream.next()
  assert.deepEqual(value, { event: 'change', data: { kind: 'project', id: site.projectId } })
  await stream.return(undefined)
})

test('a reconnecting follower gets an event that it may have missed changes', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const stream = eventsOf(viewer, site.projectId, { 'Last-Event-ID': '7' })
  assert.deepEqual((await stream.next()).value, { event: 'ready', data: { mayHaveMissed: true } })
  await stream.return(undefined)
})

test('the event about missed changes is sent only after a recent change', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const ready = async () => {
    const stream = eventsOf(viewer, site.projectId)
    const { value } = await stream.next()
    await stream.return(undefined)
    return value
  }
  const { queries } = api.database
  const anHourAgo = { updated_at: new Date(Date.now() - 3_600_000) }
  await queries.updateTable('projects').set(anHourAgo).where('id', '=', site.projectId).execute()
  await queries
    .updateTable('project_domains')
    .set(anHourAgo)
    .where('project_id', '=', site.projectId)
    .execute()
  assert.deepEqual(await ready(), { event: 'ready', data: { mayHaveMissed: false } })
  const [vote] = await putRows(api.database, site.projectId, [{}])
  assert.ok(vote)
  assert.deepEqual(await ready(), { event: 'ready', data: { mayHaveMissed: true } })
})

test('a thousand simultaneous changes are one event, and many followers share one query', async () => {
  const site = await tenant()
  let looks = 0
  const queries = new Proxy(api.database.queries, {
    get(target, name) {
      if (name === 'executeQuery') looks++
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as Queries
  const watch = createProjectWatch({ queries, log: silentLog }, { pollMs: 20 })
  const stop = new AbortController()
  const followers = await Promise.all(
    Array.from({ length: 50 }, () => watch.follow(site.projectId, stop.signal)),
  )
  assert.equal(looks, 1)
  await putRows(
    api.database,
    site.projectId,
    Array.from({ length: 1000 }, () => ({})),
  )
  const heard = await Promise.all(followers.map(({ changes }) => changes.next()))
  assert.deepEqual(
    new Set(heard.map(({ value }) => JSON.stringify(value))),
    new Set(['{"kind":"feedback","id":null}']),
  )
  stop.abort()
  const ended = await Promise.all(followers.map(({ changes }) => changes.next()))
  assert.ok(ended.every(({ done }) => done === true))
})
