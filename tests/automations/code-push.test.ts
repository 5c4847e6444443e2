import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createFairGate } from '../../src/base/fair-gate.ts'
import { silentLog } from '../../src/base/log.ts'
import { createSecretBox } from '../../src/base/secret-box.ts'
import { createToolSandboxPool } from '../../src/features/agent/check/tool-sandboxes.ts'
import type {
  AutomationRun,
  CreateAutomationBody,
} from '../../src/features/automations/operations/automations.ts'
import { createCodeChecks, type WatchCodeDeps } from '../../src/features/automations/watch-code.ts'
import { SECRET as SERVER_SECRET } from '../http/api-under-test.ts'
import { createTestRepository, type TestRepository } from '../kit/git.ts'
import { toldOf } from '../kit/told.ts'
import { until } from '../kit/until.ts'
import { undescribedFields } from '../kit/webhook-description.ts'
import { type AutomationScene, openAutomationScene } from './automation-scene.ts'

const HOOK_SECRET = 'it is no secret here'
const signal = new AbortController().signal
const opened = new AsyncDisposableStack()

let scene: AutomationScene
let code: TestRepository
let docs: TestRepository
let deps: WatchCodeDeps

const page = (title: string, text: string) => `---\ntitle: ${title}\ndescription: Words\n---\n\n${text}\n`

before(async () => {
  scene = opened.use(await openAutomationScene())
  code = opened.use(await createTestRepository({ 'src/cli.ts': ".option('--region')\n", 'README.md': 'x\n' }))
  docs = opened.use(
    await createTestRepository({
      'docs.json': '{"name":"Acme","navigation":{"pages":["index","guides/cli","guides/other"]}}',
      'index.mdx': page('Welcome', 'Hello'),
      'guides/cli.mdx': page('The command', 'Deploy with `acme --region eu` or `--colour`.'),
      'guides/other.mdx': page('Other', 'Nothing of `--zone`.'),
    }),
  )
  const folder = await mkdtemp(join(tmpdir(), 'octavo-code-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const { database, objects, acme } = scene.api
  const toolSandboxes = opened.use(
    createToolSandboxPool({
      ...{ objects, log: silentLog, renderChildren: 1, siteMemoryMb: 1024 },
      ...{ gate: createFairGate(2), mostProcesses: 2 },
    }),
  )
  deps = { ...scene.deps, code: { database, git: { mirrorsFolder: folder }, toolSandboxes } }
  const box = createSecretBox(SERVER_SECRET, 'push webhooks')
  await database.queries
    .insertInto('project_publishing')
    .values({ project_id: acme.projectId, hook_secret: box.seal(Buffer.from(HOOK_SECRET), acme.projectId) })
    .execute()
  await database.queries
    .updateTable('all_projects')
    .set({ repository: docs.folder, folder_granted: true, ref: 'main' })
    .where('id', '=', acme.projectId)
    .execute()
  await addCode('api', code.folder)
})
after(() => opened.disposeAsync())

async function addCode(name: string, repository: string, ref: string | null = null): Promise<void> {
  const { database, acme } = scene.api
  await database.queries
    .insertInto('code_repositories')
    .values({
      ...{ id: `crp_${name}`, organization_id: acme.organizationId, project_id: acme.projectId, name, ref },
      ...{ source_kind: repository.startsWith('/') ? ('folder' as const) : ('git' as const), repository },
      ...{ folder_granted: true, folder: '', made_by: null },
    })
    .execute()
}

/** Creates an automation and runs its first check, which records the current commit of the branch. */
async function create(more: Partial<CreateAutomationBody> = {}, repository = 'api'): Promise<string> {
  const made = await scene.create({
    prompt: 'Bring them up to date.',
    trigger: { kind: 'code_push', repository },
    ...more,
  })
  await look(made.automationId)
  return made.automationId
}

async function look(...ids: string[]): Promise<void> {
  await scene.api.database.queries
    .updateTable('automations')
    .set({ look_at: new Date(Date.now() - 1000) })
    .where('id', 'in', ids)
    .execute()
  await createCodeChecks(deps)(signal)
}

const stateOf = (run: AutomationRun | undefined) => [run?.cause, run?.state, run?.reason, run?.topic]

async function rowOf(id: string) {
  return await scene.api.database.queries
    .selectFrom('automations')
    .select(['seen_code', 'look_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

test('a push that affects pages starts one job with their statements and the old and new lines', async () => {
  const id = await create()
  assert.deepEqual(await scene.runs(id), [], 'what was there before is no push')
  const from = (await rowOf(id)).seen_code?.commit
  const to = await code.commit({ 'src/cli.ts': ".option('--region <name>')\n", 'tests/a.ts': '--zone\n' })
  await look(id)
  const [run, ...more] = await scene.runs(id)
  assert.deepEqual([stateOf(run), more], [['code_push', 'started', null, 'code api'], []])
  const [prompt] = await scene.prompts(run?.jobId ?? '')
  assert.equal(prompt?.prompt, 'Bring them up to date.')
  assert.deepEqual(prompt?.told, [
    {
      what: `the changes in the code repository api from commit ${from} to commit ${to}`,
      text: 'src/cli.ts (+1 −1)',
    },
    {
      what: 'the statements in the docs that depend on the changed code, each with the old and the new line; those that the change may have made false come first',
      text: "guides/cli.mdx:6: Deploy with `acme --region eu` or `--colour`.\n- src/cli.ts:1: .option('--region')\n+ src/cli.ts:1: .option('--region <name>')",
    },
  ])
  await look(id)
  assert.equal((await scene.runs(id)).length, 1, 'nothing was pushed')
})

test('combines several pushes into one run, messages a running job and skips pushes that affect no page', async () => {
  const id = await create()
  await code.commit({ 'src/cli.ts': ".option('--region <a>')\n" })
  await code.commit({ 'src/other.ts': "const a = '--colour'\n" })
  await look(id)
  const [first, ...none] = await scene.runs(id)
  assert.deepEqual([first?.state, none], ['started', []])
  assert.match(first?.asked ?? '', /guides\/cli\.mdx:6: .*\n- .*--region.*\n\+ .*--region.*\n\+ .*--colour/)
  await code.commit({ 'src/cli.ts': ".option('--region <b>')\n" })
  await look(id)
  assert.deepEqual((await scene.runs(id)).map(stateOf)[0], ['code_push', 'added', null, 'code api'])

  await code.commit({ 'src/deep.ts': 'const somethingElse = 1\n' })
  await look(id)
  const [last] = await scene.runs(id)
  assert.deepEqual(stateOf(last), ['code_push', 'skipped', 'no_change', 'code api'])
  assert.match(last?.asked ?? '', /^the changes in .*\nsrc\/deep\.ts \(\+1 −0\)$/)
})

test('a manual run compares with the last documented commit, not the last checked commit', async () => {
  const id = await create()
  const byHand = async () => {
    const { acme } = scene.api
    const request = { method: 'POST', headers: { authorization: `Bearer ${acme.key}` } }
    const response = await scene.api.fetch(scene.path(id, 'run'), request)
    return (await response.json()) as AutomationRun
  }
  const end = (run: AutomationRun | undefined, values: object) =>
    scene.api.database.queries
      .updateTable('agent_jobs')
      .set(values)
      .where('id', '=', run?.jobId ?? '')
      .execute()
  const first = await byHand()
  assert.equal(first.state, 'started')
  assert.match(first.asked, /No run of this automation has documented the code repository api yet/)
  await end(first, { status: 'completed', pull_request_state: 'closed' })
  assert.match((await byHand()).asked, /No run of this/, 'its pull request was declined')
  await end((await scene.runs(id))[0], { status: 'failed', error: 'gone', error_code: 'cancelled' })

  const documented = await code.commit({ 'src/cli.ts': ".option('--region <l>')\n" })
  await look(id)
  const [run] = await scene.runs(id)
  assert.equal(run?.state, 'started')
  await end(run, { status: 'completed', pull_request_state: 'merged' })
  const later = await code.commit({ 'src/deep.ts': 'const unnamed = 2\n' })
  await look(id)
  assert.equal((await rowOf(id)).seen_code?.commit, later, 'looked at, and no page names it')
  const again = await byHand()
  assert.match(again.asked, new RegExp(`for commit ${documented} of`))
  assert.doesNotMatch(again.asked, new RegExp(later))
})

test('applies file filters, page filters, dry runs and daily limits to code pushes', async () => {
  const files: CreateAutomationBody['trigger'] = { kind: 'code_push', repository: 'api', files: ['lib/**'] }
  const [byFile, byPage, dry, limited] = [
    await create({ trigger: files }),
    await create({ trigger: { kind: 'code_push', repository: 'api', pages: ['/guides/other'] } }),
    await create({ dryRun: true }),
    await create({ budget: { runsPerDay: 1 }, dryRun: true }),
  ]
  await code.commit({ 'src/cli.ts': ".option('--region <c>')\n" })
  await look(byFile, byPage, dry, limited)
  assert.deepEqual(await scene.runs(byFile), [], 'none of its files changed')
  assert.equal((await scene.runs(byPage))[0]?.reason, 'no_change')
  const [run] = await scene.runs(dry)
  assert.deepEqual([run?.reason, run?.jobId], ['dry_run', null])
  assert.match(run?.asked ?? '', /guides\/cli\.mdx:6: .*--region/)
  const seen = (await rowOf(limited)).seen_code
  await code.commit({ 'src/cli.ts': ".option('--region <d>')\n" })
  await look(limited)
  assert.equal((await scene.runs(limited))[0]?.reason, 'daily_limit')
  assert.deepEqual((await rowOf(limited)).seen_code, seen, 'it is found again when there is room')
})

test('compares a force-pushed branch and starts over when the previous commit is gone', async () => {
  const id = await create()
  const before = await code.git('rev-parse', 'HEAD')
  await code.git('commit', '--quiet', '--amend', '--message=again')
  await code.commit({ 'src/cli.ts': ".option('--region <e>')\n" })
  await code.git('reset', '--quiet', '--soft', `${before}~1`)
  const forced = await code.commit({})
  await look(id)
  assert.deepEqual(
    [(await scene.runs(id))[0]?.state, (await rowOf(id)).seen_code?.commit],
    ['started', forced],
  )

  const { of = '' } = (await rowOf(id)).seen_code ?? {}
  const gone = JSON.stringify({ commit: 'd'.repeat(40), of })
  const { queries } = scene.api.database
  await queries.updateTable('automations').set({ seen_code: gone }).where('id', '=', id).execute()
  await look(id)
  assert.equal((await scene.runs(id))[0]?.reason, 'not_compared')
  assert.equal((await rowOf(id)).seen_code?.commit, forced)
  await code.commit({ 'src/cli.ts': ".option('--region <f>')\n" })
  await look(id)
  assert.equal((await scene.runs(id))[0]?.state, 'added')
})

test('a changed ref starts over, a missing repository is reported once and paused pushes are ignored', async () => {
  await addCode('web', code.folder)
  const id = await create({}, 'web')
  const { queries } = scene.api.database
  const change = (set: { ref?: string; repository?: string }) =>
    queries.updateTable('code_repositories').set(set).where('id', '=', 'crp_web').execute()
  await code.git('branch', 'next')
  await code.commit({ 'src/cli.ts': ".option('--region <g>')\n" })
  await change({ ref: 'next' })
  await look(id)
  assert.deepEqual(await scene.runs(id), [])
  await change({ repository: `${code.folder}-gone` })
  await look(id)
  await look(id)
  assert.deepEqual((await scene.runs(id)).map(stateOf), [
    ['code_push', 'skipped', 'not_compared', 'code web'],
  ])
  const told = await toldOf(scene.api.database, scene.api.acme.projectId)
  assert.deepEqual(
    told.filter(({ subject }) => subject === id).map(({ kind, facts }) => [kind, facts.reason]),
    [['automation_stopped', 'the changes in the code could not be determined']],
  )
  await change({ repository: code.folder, ref: 'main' })
  await look(id)
  await scene.update(id, { paused: true })
  await code.commit({ 'src/cli.ts': ".option('--region <h>')\n" })
  await look(id)
  await scene.update(id, { paused: false })
  await look(id)
  assert.equal((await scene.runs(id)).length, 1)
})

test('a check requested during another check and concurrent checks record one run', async () => {
  const id = await create()
  await code.commit({ 'src/cli.ts': ".option('--region <i>')\n" })
  const { queries } = scene.api.database
  const due = () =>
    queries
      .updateTable('automations')
      .set({ look_at: new Date(0) })
      .where('id', '=', id)
  await due().execute()
  const first = createCodeChecks(deps)(signal)
  await until(async () => (await rowOf(id)).look_at.getTime() !== 0)
  await due().execute()
  await Promise.all([first, createCodeChecks(deps)(signal)])
  await look(id)
  assert.equal((await scene.runs(id)).length, 1)
})

test('an aborted check reschedules its automation, and the next check finds the push', async () => {
  const id = await create()
  await code.commit({ 'src/cli.ts': ".option('--region <k>')\n" })
  const { queries } = scene.api.database
  await queries
    .updateTable('automations')
    .set({ look_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  await assert.rejects(createCodeChecks(deps)(AbortSignal.abort(new Error('it stops'))), /it stops/)
  const { look_at: at } = await rowOf(id)
  assert.ok(at.getTime() > 0 && at.getTime() <= Date.now() + 1000)
  await createCodeChecks(deps)(signal)
  assert.equal((await scene.runs(id)).length, 1)
})

test('docs changes in the same repository are not treated as code changes', async () => {
  await addCode('same', docs.folder)
  const id = await create({}, 'same')
  await docs.commit({ 'guides/new.mdx': page('New', '`--region`') })
  await look(id)
  assert.deepEqual(await scene.runs(id), [])
  await docs.commit({ 'src/cli.ts': "'--zone'\n" })
  await look(id)
  assert.match((await scene.runs(id))[0]?.asked ?? '', /guides\/other\.mdx:6: .*--zone/)
})

test('bounds the prompt for thousands of changed files and a one-megabyte line', async () => {
  const id = await create()
  const many = Object.fromEntries(
    Array.from({ length: 2_550 }, (_, n) => [
      `gen/part${n % 50}/file${n}.ts`,
      `export const someName${n} = 1\n`,
    ]),
  )
  await code.commit({
    ...many,
    'src/long.ts': `'${'x'.repeat(1 << 20)}'\n`,
    'src/cli.ts': "'--region <j>'\n",
  })
  await look(id)
  const [run] = await scene.runs(id)
  assert.equal(run?.state, 'started')
  const [prompt] = await scene.prompts(run?.jobId ?? '')
  assert.match(prompt?.told[1]?.text ?? '', /^guides\/cli\.mdx:6: .*--region/)
  assert.match(prompt?.told[0]?.text ?? '', /and \d{4} more files$/)
  for (const { text } of prompt?.told ?? []) assert.ok(text.length <= 10_000)
})

const pushed = (name: string, branch = 'main') => ({
  ref: `refs/heads/${branch}`,
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  repository: { full_name: name, default_branch: 'main' },
})

async function tell(headers: Record<string, string>, message: object, secret = HOOK_SECRET) {
  const body = JSON.stringify(message)
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const signed = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('SIGNATURE', signature)]),
  )
  const response = await scene.api.fetch(`/hooks/push/${scene.api.acme.projectId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed },
    body,
  })
  return response.ok ? ((await response.json()) as { outcome: string }).outcome : response.status
}

const GITHUB = { 'x-github-event': 'push', 'x-hub-signature-256': 'SIGNATURE' }

test('push webhooks of each forge wake automations of that repository and branch and publish no docs', async () => {
  await addCode('server', 'https://forge.example/acme/server.git')
  await addCode('fixed', 'https://forge.example/acme/fixed', 'release')
  const made = await scene.create({ trigger: { kind: 'code_push', repository: 'server' } })
  const fixed = await scene.create({ trigger: { kind: 'code_push', repository: 'fixed' } })
  const rest = async () => {
    const far = new Date(Date.now() + 3_600_000)
    await scene.api.database.queries
      .updateTable('automations')
      .set({ look_at: far })
      .where('id', 'in', [made.automationId, fixed.automationId])
      .execute()
  }
  const isWoken = async (id: string) => (await rowOf(id)).look_at.getTime() < Date.now() + 60_000
  const gitlab = {
    ref: 'refs/heads/main',
    after: 'b'.repeat(40),
    project: { path_with_namespace: 'acme/server', default_branch: 'main' },
  }
  const bitbucket = {
    push: { changes: [{ new: { type: 'branch', name: 'main' }, old: null }] },
    repository: { full_name: 'acme/server' },
  }
  const gitea = { 'x-gitea-event': 'push', 'x-gitea-signature': '' }
  const body = JSON.stringify(pushed('acme/server'))
  gitea['x-gitea-signature'] = createHmac('sha256', HOOK_SECRET).update(body).digest('hex')
  const told: [Record<string, string>, object][] = [
    [GITHUB, pushed('Acme/Server')],
    [{ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': HOOK_SECRET }, gitlab],
    [gitea, pushed('acme/server')],
    [{ 'x-event-key': 'repo:push', 'x-hub-signature': 'SIGNATURE' }, bitbucket],
  ]
  for (const [headers, message] of told) {
    await rest()
    assert.equal(await tell(headers, message), 'automation', JSON.stringify(headers))
    assert.ok(await isWoken(made.automationId))
    assert.ok(!(await isWoken(fixed.automationId)))
  }
  await rest()
  for (const message of [
    pushed('acme/server', 'topic'),
    pushed('acme/fixed'),
    pushed('acme/elsewhere-server', 'x'),
  ])
    assert.equal(await tell(GITHUB, message), 'other_branch')
  assert.equal(await tell(GITHUB, { ...pushed('acme/server'), after: '0'.repeat(40) }), 'other_branch')
  assert.equal(await tell(GITHUB, pushed('acme/server'), 'another secret'), 401)
  assert.ok(!(await isWoken(made.automationId)))
  assert.equal(await tell(GITHUB, pushed('acme/fixed', 'release')), 'automation')
  assert.ok(await isWoken(fixed.automationId))
  const deployments = await scene.api.database.queries.selectFrom('deployments').select('id').execute()
  assert.deepEqual(deployments, [])
  assert.equal(await tell(GITHUB, pushed('acme/docs')), 'published', 'of any other repository, as before')
})

test('the push fixture has only fields that GitHub documents', () => {
  assert.deepEqual(undescribedFields(pushed('acme/server'), 'webhook-push'), [])
  assert.deepEqual(undescribedFields({ branch: 'main' }, 'webhook-push'), ['/branch'])
})

test('rejects an unknown code repository and follows a renamed one', async () => {
  const { acme } = scene.api
  const wanted = { name: 'a', prompt: 'b', trigger: { kind: 'code_push', repository: 'none' } }
  const response = await scene.api.fetch(scene.path(), {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  })
  const { details } = (await response.json()) as { details: { field: string; message: string }[] }
  assert.deepEqual([response.status, details[0]?.field], [400, '/trigger/repository'])
  const made = await scene.create({ trigger: { kind: 'code_push', repository: 'fixed' } })
  const renamed = await scene.api.fetch(`/v2/agent/${acme.projectId}/code-repositories/crp_fixed`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'steady' }),
  })
  assert.equal(renamed.status, 200)
  const after = await scene.update(made.automationId, { prompt: 'c' })
  assert.deepEqual(after.trigger, { kind: 'code_push', repository: 'steady' })
})
