/** Transferring projects over the API: offer, accept, decline, withdraw, and what the old side can still read. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OPERATIONS } from '../../src/features/operations.ts'
import type { IncomingTransfer, TransferOutcome } from '../../src/features/projects/operations/transfer.ts'
import { makeSite, putRows, type Site } from '../feedback/feedback-scene.ts'
import { addOrganization } from '../kit/accounts.ts'
import { addRows } from './access-cells.ts'
import { type ApiUnderTest, jsonRequest, startApi, withKey } from './api-under-test.ts'
import { type DashboardScene, type MemberUnderTest, openDashboard } from './dashboard-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let count = 0
before(async () => {
  const many = { count: 100_000, seconds: 60 }
  api = await startApi({ limits: { analytics: many, reads: many, agentJobs: many, exportStarts: many } })
  dashboard = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

const site = () => makeSite(api, `transfer-${++count}`)
const place = ({ projectId }: Site) => `/v1/projects/${projectId}/transfer`

async function ask(key: string, method: string, path: string, body?: unknown) {
  const response = await api.fetch(
    path,
    body === undefined ? withKey(key, { method }) : jsonRequest(method, key, body),
  )
  const text = await response.text()
  const { code } = (response.ok ? {} : JSON.parse(text)) as { code?: string }
  return { status: response.status, code, text }
}

async function offer(of: Site, organizationId: string) {
  const answer = await ask(of.key, 'POST', place(of), { organizationId })
  assert.equal(answer.status, 200, answer.text)
  return JSON.parse(answer.text) as TransferOutcome
}

const incoming = async (owner: MemberUnderTest) =>
  (await owner.json<{ incoming: IncomingTransfer[] }>('/v1/project-transfers')).incoming

test('an owner of the receiving organization accepts an offer, and the old organization loses read access', async (t) => {
  const [of, to] = [await site(), await site()]
  await putRows(api.database, of.projectId, [{}])
  const things = { ...(await addRows(api.database, of.projectId)), projectId: of.projectId }
  await api.database.pool.query(
    `UPDATE deployments SET status = 'failed', error = 'x', error_code = 'cancelled' WHERE project_id = $1`,
    [of.projectId],
  )
  const owner = await dashboard.member('owner', of)
  const taker = await dashboard.member('owner', to)
  const { offer: made, state } = await offer(of, to.organizationId)
  assert.equal(state, 'offered')
  const [shown] = await incoming(taker)
  assert.deepEqual(
    [shown?.transferId, shown?.projectId, shown?.goesAlong.feedback, shown?.domains],
    [made?.transferId, of.projectId, 1, [of.domain]],
  )
  assert.ok(shown?.losses.some(({ what }) => what === 'automations'))
  const accept = `/v1/project-transfers/${made?.transferId}/accept`
  // Neither the offering side nor an unrelated organization can accept.
  assert.equal((await ask(of.key, 'POST', accept)).status, 404)
  assert.equal((await ask((await site()).key, 'POST', accept)).status, 404)
  const admin = await dashboard.member('admin', to)
  assert.equal((await admin.refused(accept, { method: 'POST' })).code, 'role_missing')
  const own = await dashboard.member('admin', of)
  assert.equal((await own.refused(place(of))).code, 'role_missing', 'owners alone see offers')
  assert.deepEqual(await taker.json(accept, { method: 'POST' }), {
    projectId: of.projectId,
    name: shown?.name,
  })

  let cells = 0
  for (const [id, operation] of Object.entries(OPERATIONS)) {
    if (!operation.path.includes('{projectId}')) continue
    if (operation.method !== 'GET') continue
    const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      String((things as Record<string, string>)[name] ?? 'none0'),
    )
    const answered = await ask(of.key, 'GET', address)
    assert.equal(answered.status, 404, `${id}: ${answered.text}`)
    cells++
  }
  t.diagnostic(`${cells} operations`)
  assert.ok(cells > 10)
  const left = await owner.ask('/internal/projects')
  assert.ok(!(await left.text()).includes(of.projectId))
  const mine = await ask(to.key, 'GET', `/v1/analytics/${of.projectId}/feedback`)
  assert.equal(mine.status, 200)
  assert.equal((await ask(to.key, 'POST', accept)).status, 404, 'once')
  const { rows } = await api.database.pool.query<{ organization_id: string; action: string }>(
    `SELECT organization_id, action FROM audit_rows WHERE subject = $1 AND action LIKE 'project.transfer%'
     ORDER BY at, number`,
    [of.projectId],
  )
  assert.deepEqual(rows.map((row) => [row.organization_id === to.organizationId, row.action]).sort(), [
    [false, 'project.transfer_offered'],
    [false, 'project.transferred'],
    [true, 'project.transferred'],
  ])
})

test('an offer can be withdrawn, declined and replaced, and it expires', async () => {
  const [of, to, other] = [await site(), await site(), await site()]
  const taker = await dashboard.member('owner', to)
  const { offer: first } = await offer(of, other.organizationId)
  const { offer: second } = await offer(of, to.organizationId)
  assert.equal(
    (await ask(other.key, 'POST', `/v1/project-transfers/${first?.transferId}/accept`)).status,
    404,
  )
  assert.equal((await ask(to.key, 'POST', `/v1/project-transfers/${second?.transferId}/decline`)).status, 200)
  assert.deepEqual(await incoming(taker), [])
  await offer(of, to.organizationId)
  assert.equal((await ask(to.key, 'DELETE', place(of))).status, 404, 'of others')
  assert.equal((await ask(of.key, 'DELETE', place(of))).status, 200)
  assert.equal((await ask(of.key, 'DELETE', place(of))).status, 404)
  const { offer: late } = await offer(of, to.organizationId)
  await api.database.pool.query('UPDATE project_transfers SET expires_at = now()')
  assert.deepEqual(await incoming(taker), [])
  assert.equal((await ask(to.key, 'POST', `/v1/project-transfers/${late?.transferId}/accept`)).status, 404)
})

test('an offer does not reveal whether an organization exists, and a deleted project cannot be offered', async () => {
  const of = await site()
  const nobody = await offer(of, 'org_nobody')
  const somebody = await offer(of, (await site()).organizationId)
  const shape = ({ state, offer }: TransferOutcome) => [state, Object.keys(offer ?? {})]
  assert.deepEqual(shape(nobody), shape(somebody))
  const itself = await ask(of.key, 'POST', place(of), { organizationId: of.organizationId })
  assert.equal(itself.code, 'transfer_to_itself')
  await ask(of.key, 'DELETE', `/v1/projects/${of.projectId}`)
  assert.equal((await ask(of.key, 'POST', place(of), { organizationId: 'org_x' })).status, 404)
})

test('refuses to transfer a project at work, and an owner of both sides transfers immediately', async () => {
  const of = await site()
  const to = await addOrganization(api.database, 'free', 'Both')
  const owner = await dashboard.member('owner', of)
  const give = () => owner.ask(place(of), { method: 'POST', body: { organizationId: to } })
  await api.database.queries
    .insertInto('members')
    .values({ organization_id: to, user_id: owner.userId, role: 'admin' })
    .execute()
  assert.equal(
    ((await (await give()).json()) as TransferOutcome).state,
    'offered',
    'an admin there is not enough',
  )
  await api.database.pool.query(`UPDATE members SET role = 'owner' WHERE organization_id = $1`, [to])
  const { status } = await ask(of.key, 'POST', `/v1/deployments/${of.projectId}`)
  assert.equal(status, 202)
  assert.equal(((await (await give()).json()) as { code: string }).code, 'project_at_work')
  await api.database.pool.query(
    `UPDATE deployments SET status = 'failed', error = 'x', error_code = 'cancelled' WHERE project_id = $1`,
    [of.projectId],
  )
  const requires = (since: string) =>
    api.database.pool.query(`UPDATE organizations SET second_factor_since = ${since} WHERE id = $1`, [to])
  await requires('now()')
  const code = ((await (await give()).json()) as { code: string }).code
  assert.equal(code, 'second_factor_required', 'the other side would refuse this session')
  await requires('NULL')
  assert.equal(((await (await give()).json()) as TransferOutcome).state, 'transferred')
  assert.equal((await ask(of.key, 'GET', place(of))).status, 404)
})
