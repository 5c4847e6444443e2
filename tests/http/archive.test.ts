/** Archived projects are read-only apart from deletion, and serve readers as configured. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashToken } from '../../src/features/automations/automations.ts'
import { isAtWork } from '../../src/features/automations/store.ts'
import { DASHBOARD_OPERATIONS } from '../../src/features/dashboard-operations.ts'
import { findHostedSite } from '../../src/features/hosting/access/site-access.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import type { ArchivedProject } from '../../src/features/projects/operations/archive.ts'
import type { ProjectSummaryList } from '../../src/features/projects/operations/projects.ts'
import { makeSite, publishPages, putRows, type Site } from '../feedback/feedback-scene.ts'
import { BODIES } from './access-cells.ts'
import { type ApiUnderTest, jsonRequest, startApi, withKey } from './api-under-test.ts'
import { type DashboardScene, openDashboard } from './dashboard-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let count = 0
before(async () => {
  const many = { count: 100_000, seconds: 60 }
  api = await startApi({ limits: { analytics: many, reads: many, agentJobs: many, exportStarts: many } })
  dashboard = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

const site = () => makeSite(api, `archive-${++count}`)

async function ask(key: string, method: string, path: string, body?: unknown) {
  const response = await api.fetch(
    path,
    body === undefined ? withKey(key, { method }) : jsonRequest(method, key, body),
  )
  const text = await response.text()
  const { code } = (response.ok ? {} : JSON.parse(text)) as { code?: string }
  return { status: response.status, code, text }
}
const archive = (of: Site, body: object = {}) =>
  ask(of.key, 'POST', `/v1/projects/${of.projectId}/archive`, body)
const unarchive = (of: Site) => ask(of.key, 'POST', `/v1/projects/${of.projectId}/unarchive`)

async function vote({ siteId, domain }: Site) {
  const body = { id: crypto.randomUUID(), path: '/', helpful: false }
  const response = await fetch(`${api.url}/_octavo/sites/${siteId}/feedback`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: `https://${domain}` },
    body: JSON.stringify(body),
  })
  return response.status
}

test('changes to an archived project are rejected, except deletion and unarchiving', async (t) => {
  const of = await site()
  const owner = await dashboard.member('owner', of)
  await putRows(api.database, of.projectId, [{}])
  assert.equal((await archive(of)).status, 200)
  let cells = 0
  for (const [id, operation] of Object.entries(OPERATIONS)) {
    const { path, method } = operation
    if (method === 'GET' || method === 'DELETE' || !path.includes('{projectId}') || 'ofArchived' in operation)
      continue
    const address = path.replace('{projectId}', of.projectId).replace(/\{\w+\}/g, 'none0')
    const query = id === 'updateManyFeedback' ? '?status=pending' : ''
    const body = operation.body === null ? undefined : BODIES[id]?.(of)
    const { status, code } = await ask(of.key, method, address + query, body)
    assert.deepEqual([status, code], [409, 'project_archived'], id)
    cells++
  }
  t.diagnostic(`${cells} operations`)
  assert.ok(cells >= 10, String(cells))
  const started = await ask(of.key, 'POST', '/v1/static-export/jobs', { domain: of.domain })
  assert.deepEqual([started.status, started.code], [409, 'project_archived'])
  const named = `/internal/projects/${of.projectId}`
  const renamed = await owner.refused(named, {
    method: 'PATCH',
    body: { updatedAt: '2026-01-01T00:00:00.000Z', name: 'x' },
  })
  assert.equal(renamed.code, 'project_archived')
  let internal = 0
  for (const [id, operation] of Object.entries(DASHBOARD_OPERATIONS)) {
    const { path, method } = operation
    if (method === 'GET' || method === 'DELETE' || !path.includes('{projectId}')) continue
    if (operation.permission === 'machine') continue // refused to every person
    const address = path.replace('{projectId}', of.projectId).replace(/\{\w+\}/g, 'none0')
    const body = operation.body === null ? undefined : BODIES[id]?.(of)
    const { code } = await owner.refused(address, { method, ...(body === undefined ? {} : { body }) })
    assert.equal(code, 'project_archived', id)
    internal++
  }
  t.diagnostic(`${internal} internal operations`)
  assert.ok(internal >= 10, String(internal))
  const read = await ask(of.key, 'GET', `/v1/analytics/${of.projectId}/feedback`)
  assert.equal(read.status, 200)
  const erased = await ask(of.key, 'POST', `/v1/projects/${of.projectId}/feedback/delete`, {
    before: '2100-01-01',
  })
  assert.equal(erased.status, 200)
})

test('an archived project leaves the lists and returns to them unchanged', async () => {
  const of = await site()
  const owner = await dashboard.member('owner', of)
  const names = async (of: 'projects' | 'archived' = 'projects') =>
    (await owner.json<ProjectSummaryList>('/internal/projects'))[of].map(({ id }) => id)
  const list = async () =>
    (JSON.parse((await ask(of.key, 'GET', '/v1/archived-projects')).text) as { projects: ArchivedProject[] })
      .projects
  assert.deepEqual([await names(), await list()], [[of.projectId], []])
  const before = await api.database.pool.query('SELECT * FROM all_projects WHERE id = $1', [of.projectId])
  assert.equal((await archive(of, { takesFeedback: true })).status, 200)
  assert.deepEqual([await names(), await names('archived')], [[], [of.projectId]])
  const [archived] = await list()
  assert.deepEqual(
    [archived?.projectId, archived?.serves, archived?.takesFeedback, archived?.domains],
    [of.projectId, true, true, [of.domain]],
  )
  assert.equal((await archive(of, { takesFeedback: true })).status, 200, 'once more changes nothing')
  assert.deepEqual((await archive(of, { serves: false, takesFeedback: true })).status, 400)
  assert.equal((await unarchive(of)).status, 200)
  assert.deepEqual([await names(), await list()], [[of.projectId], []])
  const again = await unarchive(of)
  assert.deepEqual([again.status, again.code], [409, 'project_not_archived'])
  const after = await api.database.pool.query('SELECT * FROM all_projects WHERE id = $1', [of.projectId])
  const kept = ({ rows: [row] }: typeof before) => ({ ...row, updated_at: 0, archive_takes_feedback: 0 })
  assert.deepEqual(kept(after), kept(before))
  const { rows } = await api.database.pool.query<{ action: string }>(
    `SELECT action FROM audit_rows WHERE subject = $1 AND action LIKE 'project.%archived' ORDER BY at, id`,
    [of.projectId],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['project.archived', 'project.unarchived'],
  )
})

test('archiving ends running jobs, and automations start no new ones', async () => {
  const of = await site()
  const { status, text } = await ask(of.key, 'POST', `/v2/agent/${of.projectId}/job`, { prompt: 'Look.' })
  assert.equal(status, 201, text)
  await archive(of)
  const jobs = await api.database.pool.query('SELECT status, error FROM agent_jobs WHERE project_id = $1', [
    of.projectId,
  ])
  assert.deepEqual(jobs.rows, [{ status: 'failed', error: 'The project was archived.' }])
  await api.database.pool.query(
    `INSERT INTO automations (id, organization_id, project_id, name, kind, trigger, prompt, scope, budget, hook_hash)
     VALUES ('aut_archived', $1, $2, 'x', 'webhook', '{"kind":"webhook"}', 'Look.', '[]', '{}', $3)`,
    [of.organizationId, of.projectId, hashToken('right')],
  )
  const tell = async (token: string) =>
    (await ask(of.key, 'POST', `/hooks/automations/aut_archived/${token}`, { text: 'Look.' })).status
  const atWork = () =>
    api.database.queries
      .selectFrom('automations')
      .select('id')
      .where('id', '=', 'aut_archived')
      .where(isAtWork)
      .execute()
  assert.equal((await atWork()).length, 0)
  assert.deepEqual([await tell('wrong'), await tell('right')], [404, 409])
  await unarchive(of)
  assert.equal((await atWork()).length, 1)
  assert.equal(await tell('right'), 202)
})

test('an archived project serves its site and accepts feedback as configured', async () => {
  const of = await site()
  await publishPages(api, of, ['index.html'])
  const served = async () => (await findHostedSite(api.database.queries, of.domain, null))?.isDeleted !== true
  await archive(of)
  assert.deepEqual([await served(), await vote(of)], [true, 403])
  const taking = await site()
  await publishPages(api, taking, ['index.html'])
  await archive(taking, { takesFeedback: true })
  assert.ok([200, 201].includes(await vote(taking)))
  const down = await site()
  await publishPages(api, down, ['index.html'])
  await archive(down, { serves: false })
  assert.equal((await findHostedSite(api.database.queries, down.domain, null))?.isDeleted, true)
  assert.equal(await vote(down), 404)
})

test('previews of an archived project are served only while its site is', async () => {
  const of = await site()
  const label = 'a'.repeat(32)
  await api.database.pool.query(
    `INSERT INTO previews (id, organization_id, project_id, ref, branch, label, expires_at)
     VALUES ('pv_archived', $1, $2, 'refs/heads/next', 'next', $3, now() + interval '1 day')`,
    [of.organizationId, of.projectId, label],
  )
  const find = () =>
    findHostedSite(api.database.queries, `${label}.previews.example.net`, 'previews.example.net')
  await archive(of)
  assert.deepEqual([(await find())?.isPreview, (await find())?.isDeleted], [true, undefined])
  await archive(of, { serves: false })
  assert.equal((await find())?.isDeleted, true)
})

test('an archived project that is deleted is restored as archived', async () => {
  const of = await site()
  await archive(of)
  const list = async () => (await ask(of.key, 'GET', '/v1/archived-projects')).text.includes(of.projectId)
  assert.equal((await ask(of.key, 'DELETE', `/v1/projects/${of.projectId}`)).status, 200)
  assert.equal(await list(), false)
  assert.equal((await unarchive(of)).status, 404)
  assert.equal((await ask(of.key, 'POST', `/v1/projects/${of.projectId}/restore`)).status, 200)
  assert.equal(await list(), true)
})

test("archiving requires the permission to delete, and access to the project's organization", async () => {
  const of = await site()
  const other = await site()
  const admin = await dashboard.member('admin', of)
  const asked = await admin.refused(`/v1/projects/${of.projectId}/archive`, { method: 'POST', body: {} })
  assert.equal(asked.code, 'role_missing')
  assert.equal((await ask(other.key, 'POST', `/v1/projects/${of.projectId}/archive`, {})).status, 404)
  assert.equal((await ask(other.key, 'POST', `/v1/projects/${of.projectId}/unarchive`)).status, 404)
})
