import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FeedbackDetail, FeedbackList } from '../../src/features/feedback/operations/feedback.ts'
import type {
  ChangedFeedbackWork,
  FeedbackLabel,
  FeedbackLabelList,
} from '../../src/features/feedback/operations/feedback-work.ts'
import type { FeedbackGroupList } from '../../src/features/feedback/operations/inbox.ts'
import { type ApiUnderTest, makeTenant, startApi, type Tenant, withKey } from '../http/api-under-test.ts'
import { type DashboardScene, openDashboard } from '../http/dashboard-scene.ts'
import { toldOf } from '../kit/told.ts'
import { feedbackPath, putRows } from './feedback-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let count = 0
before(async () => {
  api = await startApi({ limits: { analytics: { count: 100_000, seconds: 3600 } } })
  dashboard = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

const tenant = () => makeTenant(api.database, { name: `work-${++count}`, plan: 'enterprise' })
const at = ({ projectId }: Tenant, rest: string) => `/internal/projects/${projectId}/feedback${rest}`

async function listed({ projectId, key }: Tenant, query: string): Promise<FeedbackList['feedback']> {
  const response = await api.fetch(feedbackPath(projectId, `?${query}`), withKey(key))
  assert.equal(response.status, 200, await response.clone().text())
  return ((await response.json()) as FeedbackList).feedback
}
const idsOf = async (site: Tenant, query: string) => (await listed(site, query)).map(({ id }) => id).sort()

test('assigns and labels entries in bulk, and filters lists by assignee and label', async () => {
  const site = await tenant()
  const ada = await dashboard.member('editor', site)
  const bea = await dashboard.member('viewer', site)
  const [one = '', two = '', three = ''] = await putRows(api.database, site.projectId, [{}, {}, {}])
  const typo = await ada.json<FeedbackLabel>(at(site, '/labels'), {
    method: 'POST',
    body: { name: ' Typo ' },
  })
  const api_ = await ada.json<FeedbackLabel>(at(site, '/labels'), { method: 'POST', body: { name: 'API' } })
  assert.deepEqual([typo.name, typo.colour === api_.colour], ['Typo', false])
  const work = { ids: [one, two, 'fb_none'], assigneeId: bea.userId, addLabels: [typo.id, api_.id] }
  const first = await ada.patch<ChangedFeedbackWork>(at(site, '/work'), work)
  assert.deepEqual(
    first.changed.map(({ id, assigneeId, labelIds }) => [id, assigneeId, labelIds]).sort(),
    [one, two].map((id) => [id, null, []]).sort(),
  )
  const again = await ada.patch<ChangedFeedbackWork>(at(site, '/work'), work)
  assert.deepEqual(again.changed, [], 'what is so already is no change')
  const told = await toldOf(api.database, site.projectId)
  assert.deepEqual(
    told.map(({ kind, owner, facts }) => ({ kind, owner, facts })),
    [{ kind: 'feedback_assigned', owner: bea.userId, facts: { entries: 2 } }],
  )
  await ada.patch(at(site, '/work'), { ids: [three], assigneeId: ada.userId })
  await ada.patch(at(site, '/work'), { ids: [three], assigneeId: null })
  assert.equal((await toldOf(api.database, site.projectId)).length, 1, 'who takes an entry knows')

  const named = await listed(site, 'include=assignee,labels&limit=100')
  const entry = named.find(({ id }) => id === one)
  assert.deepEqual(entry?.assignee, { id: bea.userId, name: 'The viewer' })
  assert.deepEqual(
    entry?.labels?.map(({ name }) => name),
    ['API', 'Typo'],
  )
  assert.deepEqual(named.find(({ id }) => id === three)?.labels, [])
  const plain = await listed(site, '')
  assert.ok(!('assignee' in (plain[0] as object)) && !('labels' in (plain[0] as object)))

  assert.deepEqual(await idsOf(site, `assignee=${bea.userId}`), [one, two].sort())
  assert.deepEqual(await idsOf(site, 'assignee=none'), [three])
  assert.deepEqual(await idsOf(site, `assignee=${bea.userId},none&status=pending`), [one, two, three].sort())
  assert.deepEqual(await idsOf(site, `label=${typo.id}`), [one, two].sort())
  assert.deepEqual(await idsOf(site, 'label=none'), [three])
  assert.deepEqual(
    await idsOf(site, `label=none,${api_.id}&sources=thumbs_only,agent`),
    [one, two, three].sort(),
  )
  assert.deepEqual(await idsOf(site, `label=lbl_none&assignee=usr_none`), [])
  const found = await ada.json<FeedbackList>(
    at(site, `/search?vote=up&assignee=${bea.userId}&include=labels`),
  )
  assert.deepEqual(found.feedback.map(({ id }) => id).sort(), [one, two].sort())
  const csv = await api.fetch(
    feedbackPath(site.projectId, `/export?format=csv&include=assignee,labels&assignee=${bea.userId}`),
    withKey(site.key),
  )
  const lines = (await csv.text()).trim().split('\n')
  assert.match(lines[0] ?? '', /,assignee,labels\s*$/)
  assert.equal(lines.length, 3)
  assert.match(lines[1] ?? '', /,The viewer,"API, Typo"\s*$/)
})

test('groups count only the entries that match the filters', async () => {
  const site = await tenant()
  const ada = await dashboard.member('editor', site)
  const row = { source: 'contextual', comment: 'The same words', helpful: false } as const
  const ids = await putRows(api.database, site.projectId, [row, row, row])
  const label = await ada.json<FeedbackLabel>(at(site, '/labels'), {
    method: 'POST',
    body: { name: 'Twice' },
  })
  const two = ids.slice(0, 2).sort()
  await ada.patch(at(site, '/work'), { ids: two, assigneeId: ada.userId, addLabels: [label.id] })
  const found = async (query: string) => {
    const { groups } = await ada.json<FeedbackGroupList>(at(site, `/groups?${query}`))
    return groups.map(({ count, entries }) => [count, entries.map(({ id }) => id).sort()])
  }
  assert.deepEqual(await found(''), [[3, [...ids].sort()]])
  assert.deepEqual(await found(`assignee=${ada.userId}`), [[2, two]])
  assert.deepEqual(await found(`label=${label.id}&status=pending`), [[2, two]])
  assert.deepEqual(await found('assignee=none'), [], 'one alone is no group')
  assert.deepEqual(await found(`label=lbl_none`), [])
})

test('rejects a cursor that was issued for another assignee filter', async () => {
  const site = await tenant()
  await putRows(api.database, site.projectId, [{}, {}, {}])
  const page = async (query: string) => api.fetch(feedbackPath(site.projectId, query), withKey(site.key))
  const { nextCursor } = (await (await page('?assignee=none&limit=1')).json()) as FeedbackList
  assert.ok(nextCursor)
  assert.equal((await page(`?assignee=none&limit=1&cursor=${nextCursor}`)).status, 200)
  assert.equal((await page(`?limit=1&cursor=${nextCursor}`)).status, 400)
  assert.equal((await page('?assignee=a,,b')).status, 400)
  assert.equal((await page(`?label=${Array.from({ length: 51 }, (_, i) => `lbl_${i}`).join()}`)).status, 400)
})

test('labels are unique by name, can be renamed, and are removed from entries when deleted', async () => {
  const site = await tenant()
  const ada = await dashboard.member('editor', site)
  const ids = await putRows(api.database, site.projectId, [{}, {}])
  const make = (name: string) =>
    ada.json<FeedbackLabel>(at(site, '/labels'), { method: 'POST', body: { name } })
  const [typo, same] = await Promise.all([make('Typo'), make('typo')])
  assert.equal(typo?.id, same?.id)
  const other = await make('Übersetzung')
  await ada.patch(at(site, '/work'), { ids, addLabels: [typo?.id, other.id] })
  const taken = await ada.refused(at(site, `/labels/${other.id}`), {
    method: 'PATCH',
    body: { name: 'TYPO' },
  })
  assert.deepEqual([taken.status, taken.code], [409, 'label_name_taken'])
  const empty = await ada.refused(at(site, '/labels'), { method: 'POST', body: { name: ' \n' } })
  assert.deepEqual([empty.status, empty.fields], [400, ['/name']])
  await ada.patch(at(site, `/labels/${other.id}`), { name: 'Translation', colour: 'teal' })
  const { labels } = await ada.json<FeedbackLabelList>(at(site, '/labels'))
  assert.deepEqual(
    labels.map(({ name }) => name.toLowerCase()),
    ['translation', 'typo'],
  )
  const gone = await ada.json(at(site, `/labels/${typo?.id}`), { method: 'DELETE' })
  assert.deepEqual(gone, { id: typo?.id, entries: 2 })
  const rows = await listed(site, 'include=labels')
  assert.deepEqual(
    rows.map((entry) => entry.labels?.map(({ name }) => name)),
    [['Translation'], ['Translation']],
  )
  assert.equal((await ada.ask(at(site, `/labels/${typo?.id}`), { method: 'DELETE' })).status, 404)
})

test('limits an entry to 20 labels, and rejects assignees and labels of another organization', async () => {
  const site = await tenant()
  const elsewhere = await tenant()
  const ada = await dashboard.member('editor', site)
  const eve = await dashboard.member('owner', elsewhere)
  const [id = ''] = await putRows(api.database, site.projectId, [{}])
  const made: string[] = []
  for (let number = 0; number < 21; number++) {
    const body = { name: `label ${number}` }
    made.push((await ada.json<FeedbackLabel>(at(site, '/labels'), { method: 'POST', body })).id)
  }
  const patch = (body: object) =>
    ada.refused(at(site, '/work'), { method: 'PATCH', body: { ids: [id], ...body } })
  assert.equal((await patch({ addLabels: made.slice(0, 20) })).status, 200)
  const more = await patch({ addLabels: made.slice(20) })
  assert.deepEqual([more.status, more.code], [409, 'too_many_labels_on_entry'])
  const strange = await patch({ assigneeId: eve.userId })
  assert.deepEqual([strange.status, strange.fields], [400, ['/assigneeId']])
  const [theirs] = await Promise.all([
    eve.json<FeedbackLabel>(at(elsewhere, '/labels'), { method: 'POST', body: { name: 'theirs' } }),
  ])
  const foreign = await patch({ removeLabels: made.slice(0, 1), addLabels: [theirs.id] })
  assert.deepEqual([foreign.status, foreign.fields], [400, ['/addLabels']])
  assert.equal((await patch({})).status, 400)
  assert.equal((await eve.ask(at(site, '/labels'))).status, 404)
})

test('removing a member from the organization unassigns their entries', async () => {
  const site = await tenant()
  const owner = await dashboard.member('owner', site)
  const bea = await dashboard.member('editor', site)
  const ids = await putRows(api.database, site.projectId, [{}, {}])
  await owner.patch(at(site, '/work'), { ids, assigneeId: bea.userId })
  assert.equal((await idsOf(site, `assignee=${bea.userId}`)).length, 2)
  const left = await owner.ask(`/internal/members/${bea.userId}?keys=revoke`, { method: 'DELETE' })
  assert.equal(left.status, 200, await left.clone().text())
  assert.deepEqual(await idsOf(site, 'assignee=none'), [...ids].sort())
  const back = await owner.refused(at(site, '/work'), {
    method: 'PATCH',
    body: { ids, assigneeId: bea.userId },
  })
  assert.equal(back.status, 400)
})

test('the history of an entry records changes of its assignee and labels', async () => {
  const site = await tenant()
  const ada = await dashboard.member('editor', site)
  const bea = await dashboard.member('viewer', site)
  const [id = ''] = await putRows(api.database, site.projectId, [{}])
  const label = await ada.json<FeedbackLabel>(at(site, '/labels'), { method: 'POST', body: { name: 'Typo' } })
  const change = (body: object) => ada.patch(at(site, '/work'), { ids: [id], ...body })
  await change({ assigneeId: bea.userId, addLabels: [label.id] })
  await change({ assigneeId: bea.userId })
  await change({ removeLabels: [label.id] })
  await change({ assigneeId: null })
  const response = await api.fetch(feedbackPath(site.projectId, `/${id}`), withKey(site.key))
  const { history } = (await response.json()) as FeedbackDetail
  assert.deepEqual(
    history.map(({ actor, to, assignee, labels }) => [actor, to, assignee, labels]),
    [
      [ada.userId, null, { from: null, to: bea.userId }, { added: ['Typo'], removed: [] }],
      [ada.userId, null, null, { added: [], removed: ['Typo'] }],
      [ada.userId, null, { from: bea.userId, to: null }, null],
    ],
  )
})
