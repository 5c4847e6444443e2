/** Projects in the internal API: settings, overview, published site and source lines. */
import assert from 'node:assert/strict'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Overview } from '../../src/features/dashboard/operations/overview.ts'
import type {
  ProjectDetail,
  ProjectSummaryList,
  PublishedSite,
  SourceLines,
} from '../../src/features/projects/operations/projects.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { smallSite } from '../kit/site.ts'
import { type ApiUnderTest, makeTenant, startApi, type Tenant } from './api-under-test.ts'
import { type DashboardScene, openDashboard, publishFolder } from './dashboard-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let count = 0

before(async () => {
  api = await startApi({ poolSize: 20 })
  dashboard = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

const tenant = () => makeTenant(api.database, { name: `settings-${++count}`, plan: 'enterprise' })
const at = ({ projectId }: Tenant, rest = '') => `/internal/projects/${projectId}${rest}`

test('a member sees the projects of the organization, and no others', async () => {
  const viewer = await dashboard.member('viewer')
  const { projects } = await viewer.json<ProjectSummaryList>('/internal/projects')
  assert.deepEqual(
    projects.map(({ id }) => id),
    [api.acme.projectId],
  )
  for (const rest of [
    '',
    '/overview',
    '/site',
    '/feedback/groups',
    '/feedback/views',
    '/events',
    '/search?q=a',
  ])
    assert.equal((await viewer.ask(at(api.other, rest))).status, 404, rest)
})

test('a settings change appears in the next response, and in the audit log with the previous value', async () => {
  const site = await tenant()
  const admin = await dashboard.member('admin', site)
  const owner = await dashboard.member('owner', site)
  const before = await admin.json<ProjectDetail>(at(site))
  const changed = await admin.patch<ProjectDetail>(at(site), {
    updatedAt: before.updatedAt,
    name: 'Handbook',
    domains: [`new-${count}.example.com`, site.domain],
    features: { playground: true, search: false },
    widgets: { bundles: true },
    agent: { steps: 5 },
    source: { docsFolder: './docs/', lfs: true },
  })
  assert.equal(changed.name, 'Handbook')
  assert.equal(changed.url, `https://new-${count}.example.com`)
  assert.deepEqual(changed.features, { search: false, playground: true })
  assert.deepEqual([changed.widgets, changed.agent], [{ bundles: true }, { steps: 5 }])
  assert.deepEqual([changed.source.docsFolder, changed.source.lfs], ['docs', true])
  assert.deepEqual(await admin.json(at(site)), changed)
  const bundled = await admin.patch<ProjectDetail>(at(site), {
    updatedAt: changed.updatedAt,
    features: { search: 'bundled' },
  })
  assert.deepEqual(bundled.features, { search: 'bundled', playground: true })
  const back = await admin.patch<ProjectDetail>(at(site), {
    updatedAt: bundled.updatedAt,
    features: { search: null },
    agent: { steps: null },
  })
  assert.deepEqual([back.features, back.agent], [{ playground: true }, {}])

  const { rows } = await owner.json<{ rows: { action: string; actor: string; details: unknown }[] }>(
    `/internal/audit?subject=${site.projectId}`,
  )
  const actions = rows.map(({ action }) => action).sort()
  assert.deepEqual(actions, [
    'project.agent_changed',
    'project.agent_changed',
    'project.domains_changed',
    'project.features_changed',
    'project.features_changed',
    'project.features_changed',
    'project.name_changed',
    'project.source_changed',
    'project.widgets_changed',
  ])
  const renamed = rows.find(({ action }) => action === 'project.name_changed')
  assert.deepEqual(renamed?.details, { from: before.name, to: 'Handbook' })
  assert.equal(renamed?.actor, admin.userId)
})

test('of concurrent changes to the same settings all but the first are rejected with the newer timestamp', async () => {
  const site = await tenant()
  const admin = await dashboard.member('admin', site)
  const { updatedAt } = await admin.json<ProjectDetail>(at(site))
  const rename = (name: string) => admin.refused(at(site), { method: 'PATCH', body: { updatedAt, name } })
  // Enough requests that several of them have the project loaded at the same time.
  const answers = await Promise.all(['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map(rename))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
  const now = await admin.json<ProjectDetail>(at(site))
  const refused = answers.find(({ status }) => status === 409)
  assert.equal(refused?.code, 'changed_meanwhile')
  assert.deepEqual(refused.details, [`\`/updatedAt\` is outdated: the current value is ${now.updatedAt}`])
})

test('reports all errors of a change at once and applies none of it', async () => {
  const site = await tenant()
  const admin = await dashboard.member('admin', site)
  const before = await admin.json<ProjectDetail>(at(site))
  const { status, code, details, fields } = await admin.refused(at(site), {
    method: 'PATCH',
    body: {
      updatedAt: before.updatedAt,
      name: '',
      agent: { model: 'nobody', steps: 999, minutes: 0 },
      widgets: { rainbow: true },
    },
  })
  assert.deepEqual([status, code], [400, 'invalid_request'])
  for (const part of ['/name', '/agent/model', '/agent/steps', '/agent/minutes', '/widgets/rainbow'])
    assert.ok(fields.includes(part), `${part} in ${details.join('\n')}`)
  const wrong = await admin.refused(at(site), {
    method: 'PATCH',
    body: {
      updatedAt: before.updatedAt,
      domains: ['https://docs.example.com/x'],
      source: { repository: '/etc', ref: 'a b' },
    },
  })
  assert.equal(wrong.status, 400)
  assert.deepEqual(wrong.fields, ['/domains/0', '/source/repository', '/source/ref'])
  assert.match(
    wrong.details.join('\n'),
    /is a URL.*only be set on its command line.*is not the name of a branch/s,
  )
  const taken = await admin.refused(at(site), {
    method: 'PATCH',
    body: { updatedAt: before.updatedAt, name: 'New', domains: [site.domain, api.acme.domain] },
  })
  assert.equal(taken.code, 'domain_taken')
  assert.deepEqual(taken.details, [`The domain \`${api.acme.domain}\` is already in use`])
  assert.deepEqual(taken.fields, ['/domains/1'])
  assert.deepEqual(await admin.json(at(site)), before)
})

test('a project is created from a git address, never from a server folder, and only with permission', async () => {
  const site = await tenant()
  const admin = await dashboard.member('admin', site)
  const editor = await dashboard.member('editor', site)
  const body = (source: object) => ({ name: 'Guides', domains: [`made-${count}.example.com`], source })
  const git = { kind: 'git', repository: 'https://git.example.com/team/docs.git' }
  const folder = await admin.refused('/internal/projects', {
    method: 'POST',
    body: body({ kind: 'folder', repository: '/etc' }),
  })
  assert.equal(folder.status, 400)
  assert.match(folder.details[0] ?? '', /command line/)
  assert.equal((await editor.ask('/internal/projects', { method: 'POST', body: body(git) })).status, 403)
  const made = await admin.post<ProjectDetail>('/internal/projects', body(git))
  assert.deepEqual(made.source, { ...git, ref: null, docsFolder: '', lfs: false })
  assert.deepEqual(await editor.json(at({ ...site, projectId: made.id })), made)
})

test('the overview counts the days of the period in UTC, and the period before it', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString()
  await putRows(api.database, site.projectId, [
    { createdAt: day(0), helpful: true, path: '/good' },
    { createdAt: day(0), helpful: false, path: '/bad', source: 'contextual' },
    { createdAt: day(1), helpful: false, path: '/bad', source: 'contextual', status: 'resolved' },
    { createdAt: day(1), source: 'code_snippet', path: '/bad', status: 'in_progress' },
    { createdAt: day(8), helpful: true },
    { createdAt: day(8), helpful: true },
    { createdAt: null, source: 'contextual' },
    { createdAt: day(40), helpful: false },
  ])
  const week = await viewer.json<Overview>(at(site, '/overview?days=7'))
  assert.equal(week.series.length, 7)
  assert.equal(week.series.at(-1)?.date, day(0).slice(0, 10))
  assert.deepEqual(week.votes.now, { thumbsUp: 1, thumbsDown: 2, total: 4, rate: 1 / 3 })
  assert.deepEqual(week.votes.before, { thumbsUp: 2, thumbsDown: 0, total: 2, rate: 1 })
  assert.deepEqual(week.series.at(-1)?.bySource, { code_snippet: 0, contextual: 1, agent: 0, thumbs_only: 1 })
  assert.deepEqual(week.series.at(-2)?.byStatus, { pending: 0, in_progress: 1, resolved: 1, dismissed: 0 })
  assert.deepEqual(week.worstPages, [
    { path: '/bad', title: null, thumbsUp: 0, thumbsDown: 2, open: 2, total: 3 },
  ])
  assert.deepEqual(week.open, { pending: 2, inProgress: 1, isMore: false }) // votes without words are no work
  assert.deepEqual([week.site.published, week.agent.active, week.exports.running], [null, 0, 0])
  assert.equal((await viewer.ask(at(site, '/overview?days=8'))).status, 400)
})

test('a published site lists its problems with file, line and remedy, page by page, and shows the source lines', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const empty = await viewer.json<PublishedSite>(at(site, '/site'))
  assert.deepEqual([empty.published, empty.problems, empty.last], [null, [], null])
  const links = Array.from({ length: 3 }, (_, index) => `[nowhere](/missing-${index})`)
  await using published = await publishFolder(api, site, {
    ...smallSite(2),
    'page-2.mdx': `---\ntitle: Two\n---\n\n${links.join('\n\n')}\n\n${'x'.repeat(2000)}\n`,
    '.env': 'SECRET=1',
  })
  const first = await viewer.json<PublishedSite>(at(site, '/site?limit=2'))
  assert.equal(first.published?.deploymentId, published.deploymentId)
  assert.equal(first.published?.pageCount, 3)
  assert.ok(first.hasMore)
  const rest = await viewer.json<PublishedSite>(at(site, `/site?limit=50&cursor=${first.nextCursor}`))
  const problems = [...first.problems, ...rest.problems]
  const missing = problems.filter(({ message }) => message.includes('/missing-'))
  assert.deepEqual(
    missing.map(({ file, line }) => [file, line]),
    [
      ['page-2.mdx', 5],
      ['page-2.mdx', 7],
      ['page-2.mdx', 9],
    ],
  )
  assert.ok(missing.every(({ remedy, code }) => remedy !== '' && code !== ''))
  assert.equal(
    problems.length,
    Object.values(first.problemCounts).reduce((sum, one) => sum + one, 0),
  )
  const lines = await viewer.json<SourceLines>(at(site, '/source-lines?file=page-2.mdx&line=7'))
  assert.equal(lines.lines.find(({ number }) => number === 7)?.text, '[nowhere](/missing-1)')
  assert.deepEqual(
    lines.lines.filter(({ isCut }) => isCut).map(({ text }) => text.length),
    [500],
  )

  await symlink('/etc/hostname', join(published.folder, 'host.md'))
  await writeFile(join(published.folder, 'binary.md'), Buffer.from([1, 0, 2]))
  for (const file of [
    '../x.md',
    '/etc/passwd',
    '.env',
    'host.md',
    'binary.md',
    'none.mdx',
    '.git/config.md',
    'a\\b.md',
  ])
    assert.equal(
      (await viewer.ask(at(site, `/source-lines?file=${encodeURIComponent(file)}`))).status,
      404,
      file,
    )
  const both = await viewer.refused(at(site, '/source-lines?file=a.md&deploymentId=a&exportId=b'))
  assert.deepEqual(both.details, ['Use only one of `deploymentId`, `exportId`'])
  await using again = await publishFolder(api, site, smallSite(1))
  const now = await viewer.json<PublishedSite>(at(site, '/site'))
  assert.equal(now.published?.deploymentId, again.deploymentId)
  assert.equal(now.problems.filter(({ message }) => message.includes('/missing-')).length, 0)
})
