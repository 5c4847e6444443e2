/** Large numbers of transfer offers: limits for each side, paging, and notifications to the receiving owners. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { distributeNotifications } from '../../src/features/notifications/distribute.ts'
import type { NotificationList } from '../../src/features/notifications/operations/notifications.ts'
import {
  MAX_INCOMING_OFFERS,
  MAX_OUTGOING_OFFERS,
  type TransferList,
} from '../../src/features/projects/operations/transfer.ts'
import { makeSite, type Site } from '../feedback/feedback-scene.ts'
import { addProject } from '../kit/accounts.ts'
import { type ApiUnderTest, jsonRequest, startApi } from './api-under-test.ts'
import { type DashboardScene, type MemberUnderTest, openDashboard } from './dashboard-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let count = 0
before(async () => {
  const many = { count: 100_000, seconds: 60 }
  api = await startApi({ limits: { analytics: many, reads: many, members: many } })
  dashboard = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

const site = () => makeSite(api, `offers-${++count}`)

async function offer(key: string, projectId: string, organizationId: string) {
  const request = jsonRequest('POST', key, { organizationId })
  const response = await api.fetch(`/v1/projects/${projectId}/transfer`, request)
  return { status: response.status, ...((await response.json()) as { code?: string }) }
}

/** Inserts offers directly, because there are more than one organization may have open. */
async function putOffers(from: Site, to: string, most: number): Promise<void> {
  await api.database.pool.query(
    `INSERT INTO all_projects SELECT (jsonb_populate_record(project, jsonb_build_object(
       'id', 'prj_flood' || number, 'site_id', 'site_flood' || number))).*
     FROM all_projects AS project, generate_series(1, $2::integer) AS number WHERE project.id = $1`,
    [from.projectId, most],
  )
  await api.database.pool.query(
    `INSERT INTO project_transfers (id, project_id, organization_id, to_organization_id, offered_by, expires_at)
     SELECT 'ptr_flood' || number, 'prj_flood' || number, $1, $2, 'test', now() + interval '1 day'
     FROM generate_series(1, $3::integer) AS number`,
    [from.organizationId, to, most],
  )
}

async function told(member: MemberUnderTest): Promise<NotificationList['notifications']> {
  await distributeNotifications(api.database)
  return (await member.json<NotificationList>('/internal/notifications')).notifications
}

test('limits the open outgoing offers of an organization, even under concurrent requests', async () => {
  const of = await site()
  const projects = [of.projectId]
  for (let number = 0; number < MAX_OUTGOING_OFFERS + 2; number++)
    projects.push((await addProject(api.database, of.organizationId, `many-${++count}.example.com`)).id)
  const answers: Awaited<ReturnType<typeof offer>>[] = []
  while (answers.length < projects.length) {
    const some = projects.slice(answers.length, answers.length + 8)
    answers.push(...(await Promise.all(some.map((id) => offer(of.key, id, 'org_anybody')))))
  }
  const codes = answers.map(({ status, code }) => code ?? status)
  assert.equal(codes.filter((code) => code === 200).length, MAX_OUTGOING_OFFERS)
  assert.deepEqual(new Set(codes), new Set([200, 'too_many_offers']))
  const offered = projects.filter((_, index) => codes[index] === 200)
  const refused = projects[codes.indexOf('too_many_offers')] ?? ''
  // Replacing an offer does not increase the number of open ones, and withdrawing it makes room for another.
  assert.equal((await offer(of.key, offered[0] ?? '', 'org_other')).status, 200)
  const place = `/v1/projects/${offered[0]}/transfer`
  const headers = { authorization: `Bearer ${of.key}` }
  assert.equal((await api.fetch(place, { method: 'DELETE', headers })).status, 200)
  assert.equal((await offer(of.key, refused, 'org_other')).status, 200)
})

test('limits the incoming offers of an organization and pages them newest first without gaps', async () => {
  const to = await site()
  const taker = await dashboard.member('owner', to)
  await putOffers(await site(), to.organizationId, MAX_INCOMING_OFFERS)
  const real = await site()
  assert.equal((await offer(real.key, real.projectId, to.organizationId)).code, 'too_many_incoming_offers')
  const list = (query = '') => taker.json<TransferList>(`/v1/project-transfers${query}`)
  const first = await list()
  assert.deepEqual([first.incoming.length, first.hasMore], [50, true])
  const [declined] = first.incoming
  await taker.json(`/v1/project-transfers/${declined?.transferId}/decline`, { method: 'POST' })
  assert.equal((await offer(real.key, real.projectId, to.organizationId)).status, 200)
  const seen: string[] = []
  const times: string[] = []
  for (let page = await list('?limit=70'); ; page = await list(`?limit=70&cursor=${page.nextCursor}`)) {
    seen.push(...page.incoming.map(({ projectId }) => projectId))
    times.push(...page.incoming.map(({ offeredAt }) => offeredAt))
    if (!page.hasMore) break
  }
  assert.equal(seen[0], real.projectId)
  assert.deepEqual([seen.length, new Set(seen).size], [MAX_INCOMING_OFFERS, MAX_INCOMING_OFFERS])
  assert.deepEqual(times, times.toSorted().toReversed())
  const other = await dashboard.member('owner', real)
  const stolen = `/v1/project-transfers?cursor=${first.nextCursor}`
  assert.equal((await other.refused(stolen)).code, 'invalid_request', 'of another organization')
})

async function offered(): Promise<{ of: Site; to: Site }> {
  const [of, to] = [await site(), await site()]
  assert.equal((await offer(of.key, of.projectId, to.organizationId)).status, 200)
  return { of, to }
}

test('owners of the receiving organization are notified once while an offer is open', async () => {
  const { of, to } = await offered()
  const owner = await dashboard.member('owner', to)
  const admin = await dashboard.member('admin', to)
  const own = await dashboard.member('owner', of)
  const [line, ...more] = await told(owner)
  assert.deepEqual(
    [line?.kind, line?.path, line?.projectId, more],
    ['transfer_offered', `/o/${to.organizationId}/plan`, of.projectId, []],
  )
  assert.match(line?.text ?? '', /^Transfer of this project requested by “.*”: accept or decline it$/)
  assert.deepEqual([await told(admin), await told(own)], [[], []])
  const withdraw = { method: 'DELETE', headers: { authorization: `Bearer ${of.key}` } }
  const place = `/v1/projects/${of.projectId}/transfer`
  assert.equal((await api.fetch(place, withdraw)).status, 200)
  assert.deepEqual(await told(owner), [], 'what is over is told no more')
  assert.equal((await offer(of.key, of.projectId, to.organizationId)).status, 200)
  assert.equal((await told(owner)).length, 1, 'the same line')
  const { rows } = await api.database.pool.query(
    "SELECT count FROM notifications WHERE kind = 'transfer_offered' AND project_id = $1",
    [of.projectId],
  )
  assert.deepEqual(rows, [{ count: 1 }])
  await owner.json('/v1/project-transfers').then(async (list) => {
    const [{ transferId } = { transferId: '' }] = (list as TransferList).incoming
    await owner.json(`/v1/project-transfers/${transferId}/accept`, { method: 'POST' })
  })
  assert.deepEqual(await told(owner), [], 'accepted')
})

test('an offer notifies neither an owner who switched it off nor a missing organization', async () => {
  const { of, to } = await offered()
  const owner = await dashboard.member('owner', to)
  await distributeNotifications(api.database)
  await api.database.pool.query('DELETE FROM notifications')
  await api.database.pool.query('DELETE FROM notification_events')
  await api.database.queries
    .insertInto('notification_choices')
    .values({
      organization_id: to.organizationId,
      user_id: owner.userId,
      kind: 'transfer_offered',
      level: 'off',
    })
    .execute()
  const withdraw = { method: 'DELETE', headers: { authorization: `Bearer ${of.key}` } }
  await api.fetch(`/v1/projects/${of.projectId}/transfer`, withdraw)
  assert.equal((await offer(of.key, of.projectId, to.organizationId)).status, 200)
  assert.deepEqual(await told(owner), [])
  assert.equal((await offer(of.key, of.projectId, 'org_nobody')).status, 200)
  const { rows } = await api.database.pool.query(
    'SELECT organization_id FROM notification_events WHERE project_id = $1',
    [of.projectId],
  )
  assert.deepEqual(rows, [{ organization_id: to.organizationId }])
})
