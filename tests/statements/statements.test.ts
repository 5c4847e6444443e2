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
import { scheduleForAlarms } from '../../src/features/automations/wake-automations.ts'
import type { Statement, StatementList } from '../../src/features/statements/operations/statements.ts'
import {
  createStatementChecks,
  type WatchStatementsDeps,
} from '../../src/features/statements/watch-statements.ts'
import { credentialsFor, openForge } from '../../src/git/forges/open-forge.ts'
import type { ProjectSourceDeps } from '../../src/git/project-source.ts'
import { responseLimits } from '../../src/model/bounded-fetch.ts'
import { openModel } from '../../src/model/open-model.ts'
import { type AutomationScene, openAutomationScene } from '../automations/automation-scene.ts'
import { jsonRequest, SECRET as SERVER_SECRET, withKey } from '../http/api-under-test.ts'
import { type ForgeServer, startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import { createTestRepository, listedGuard, type TestRepository } from '../kit/git.ts'
import { type ModelServer, refuses, replies, startModelServer } from '../kit/model-server.ts'

const HOOK_SECRET = 'it is no secret here'
const CAPS = { steps: 1, tokens: 1, minutes: 1, files: 1, bytes: 1 }
const signal = new AbortController().signal
const opened = new AsyncDisposableStack()
const CLI = "option('--log-level <level>')\nexport const cacheSize = 512\n"

let scene: AutomationScene
let docs: TestRepository
let code: ForgeServer
/** Clone of the repository at the forge. */
let clone: TestRepository
let deps: WatchStatementsDeps
let model: ModelServer
/** Response of the model; null if it is down. */
let answer: string | null = null
const agent = { modelName: null as string | null, caps: CAPS }

before(async () => {
  scene = opened.use(await openAutomationScene())
  code = opened.use(await startForgeServer('github', { files: { 'src/cli.ts': CLI, 'src/a.ts': 'x()\n' } }))
  model = opened.use(
    await startModelServer(() => (answer === null ? refuses(401, 'no') : replies({ text: answer }))),
  )
  docs = opened.use(
    await createTestRepository({
      'docs.json': '{"name":"Acme","navigation":{"pages":["index","guide"]}}',
      'index.mdx': '# Welcome\n\nHello `nothingOfTheCode`.\n',
      'guide.mdx': '# Guide\n\nPass `--log-level` to choose.\n\n`cacheSize` is 512 by default.\n',
    }),
  )
  clone = opened.use(await createTestRepository())
  await clone.git('remote', 'add', 'origin', code.address.replace('//', `//octavo:${code.token}@`))
  await clone.git('pull', '--quiet', 'origin', 'main')
  const credentialsOf: ProjectSourceDeps['credentialsOf'] = ({ repository }) =>
    credentialsFor(repository, code.settings)
  const folder = await mkdtemp(join(tmpdir(), 'octavo-statements-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const { database, objects, acme } = scene.api
  const toolSandboxes = opened.use(
    createToolSandboxPool({
      ...{ objects, log: silentLog, renderChildren: 1, siteMemoryMb: 1024 },
      ...{ gate: createFairGate(2), mostProcesses: 2 },
    }),
  )
  deps = {
    ...{ database, log: silentLog, toolSandboxes, publicUrl: () => 'https://octavo.example' },
    git: { mirrorsFolder: folder, allowHttp: true, settings: { guard: listedGuard }, credentialsOf },
    scheduleForAlarms,
    openForge: async ({ repository }) => openForge(repository, code.settings),
    agent,
    openModel: (name) => {
      const settings = { name, url: model.url, replayFile: null, recordFile: null }
      return openModel(settings, { compatible: 'a-key' }, listedGuard, responseLimits(5000))
    },
  }
  const box = createSecretBox(SERVER_SECRET, 'push webhooks')
  const sealed = box.seal(Buffer.from(HOOK_SECRET), acme.projectId)
  await database.queries
    .insertInto('project_publishing')
    .values({ project_id: acme.projectId, hook_secret: sealed })
    .execute()
  await database.queries
    .updateTable('all_projects')
    .set({ repository: docs.folder, folder_granted: true, ref: 'main' })
    .where('id', '=', acme.projectId)
    .execute()
  const added = await database.queries
    .insertInto('code_repositories')
    .values({
      ...{ id: 'crp_api', organization_id: acme.organizationId, project_id: acme.projectId, name: 'api' },
      ...{ source_kind: 'git' as const, repository: code.address, ref: null, folder: '', made_by: null },
    })
    .executeTakeFirst()
  assert.equal(added.numInsertedOrUpdatedRows, 1n)
})
after(() => opened.disposeAsync())

const path = (rest = '') => `/v1/statements/${scene.api.acme.projectId}${rest}`

async function list(query = ''): Promise<StatementList> {
  const response = await scene.api.fetch(path(query), withKey(scene.api.acme.key))
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as StatementList
}

async function states(): Promise<Record<string, Statement['state']>> {
  return Object.fromEntries((await list()).statements.map(({ line, state }) => [`line ${line}`, state]))
}

async function confirm(statement: string, how: string): Promise<Response> {
  return await scene.api.fetch(
    path(`/${statement}/confirm`),
    jsonRequest('POST', scene.api.acme.key, { for: how }),
  )
}

async function check(): Promise<void> {
  await createStatementChecks(deps)(signal)
  const rows = await scene.api.database.queries.selectFrom('statement_checks').select('error').execute()
  assert.deepEqual(
    rows.filter(({ error }) => error !== null),
    [],
  )
}

async function tell(event: string, message: object): Promise<string> {
  const body = JSON.stringify({ repository: { full_name: 'acme/docs', default_branch: 'main' }, ...message })
  const signature = `sha256=${createHmac('sha256', HOOK_SECRET).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-github-event': event }
  const response = await scene.api.fetch(`/hooks/push/${scene.api.acme.projectId}`, {
    ...{ method: 'POST', body, headers: { ...headers, 'x-hub-signature-256': signature } },
  })
  assert.equal(response.status, 202, await response.clone().text())
  return ((await response.json()) as { outcome: string }).outcome
}

/** Commits the text on top of main and pushes it to this branch of the forge. */
async function commit(branch: string, text: string): Promise<string> {
  await clone.git('checkout', '--quiet', '-B', branch, 'main')
  const made = await clone.commit({ 'src/cli.ts': text })
  await clone.git('push', '--quiet', '--force', 'origin', branch)
  await clone.git('checkout', '--quiet', 'main')
  return made
}

async function push(text: string): Promise<void> {
  await commit('main', text)
  await tell('push', { ref: 'refs/heads/main', before: 'a'.repeat(40), after: 'b'.repeat(40) })
  await check()
}

async function pullRequest(number: number, branch: string, more: object = {}): Promise<void> {
  const repo = { id: 1 }
  const request = { number, state: 'open', head: { ref: branch, repo }, base: { ref: 'main', repo } }
  await tell('pull_request', { action: 'synchronize', pull_request: { ...request, ...more } })
  await check()
}

const comments = () => code.comments.filter(({ author }) => author === 'octavo')

test('statements are bound to lines of code and listed by page and by file', async () => {
  await tell('push', { ref: 'refs/heads/main', before: 'a'.repeat(40), after: 'b'.repeat(40) })
  await check()
  const main = await code.git('rev-parse', 'main')
  const { statements, hasMore, checkedAt } = await list()
  assert.deepEqual([statements.length, hasMore, checkedAt === null], [2, false, false])
  const { id: _, ...first } = statements[0] as Statement
  assert.deepEqual(first, {
    ...{ page: 'guide.mdx', line: 3, text: 'Pass `--log-level` to choose.', state: 'bound', since: main },
    bindings: [
      {
        ...{ name: '--log-level', repository: 'api', file: 'src/cli.ts', line: 1 },
        text: "option('--log-level <level>')",
      },
    ],
    ...{ alarms: [], confirmed: null },
  })
  assert.equal((await list('?file=api/src/cli.ts')).statements.length, 2)
  assert.equal((await list('?file=api/src/a.ts')).statements.length, 0)
  assert.equal((await list('?page=index.mdx')).statements.length, 0)
  const half = await list('?limit=1')
  assert.ok(half.hasMore)
  assert.equal((await list(`?limit=1&cursor=${half.nextCursor}`)).statements[0]?.line, 5)
  const other = await scene.api.fetch(
    path(`?page=guide.mdx&cursor=${half.nextCursor}`),
    withKey(scene.api.acme.key),
  )
  assert.equal(other.status, 400)
  for (const request of [path(), path(`/${statements[0]?.id}/confirm`)]) {
    const body =
      request === path()
        ? withKey(scene.api.other.key)
        : jsonRequest('POST', scene.api.other.key, { for: 'always' })
    assert.equal((await scene.api.fetch(request, body)).status, 404, 'of another organization')
  }
})

test('a pull request gets one comment, which is updated with its commits and confirmations', async () => {
  await scene.api.database.queries.updateTable('project_publishing').set({ statement_status: true }).execute()
  const number = code.addRequest({ branch: 'limits', target: 'main', isFromFork: false })
  await commit('limits', CLI.replace('512', '512 '))
  await pullRequest(number, 'limits')
  assert.deepEqual(comments(), [], 'nothing is said before there is an alarm')
  assert.equal(code.statuses.at(-1)?.said.state, 'success')

  const head = await commit('limits', CLI.replace('512', '1024').replace('--log-level', '--verbosity'))
  await pullRequest(number, 'limits')
  assert.equal(comments().length, 1)
  const text = () => comments()[0]?.text ?? ''
  assert.match(text(), /2 statements may be false/)
  assert.match(
    text(),
    /`guide\.mdx:5`[\s\S]*- src\/cli\.ts:2: export const cacheSize = 512\n\+ src\/cli\.ts:2: export const cacheSize = 1024/,
  )
  assert.deepEqual([code.statuses.at(-1)?.commit, code.statuses.at(-1)?.said.state], [head, 'failure'])
  const writes = () => code.apiRequests.filter(({ method }) => method !== 'GET').length
  const calls = writes()
  await pullRequest(number, 'limits')
  assert.equal(writes(), calls, 'nothing is said twice')

  const { statements } = await list('?state=in_doubt')
  assert.deepEqual(
    statements.map(({ alarms }) => alarms.map(({ pullRequest }) => pullRequest)),
    [[number], [number]],
  )
  for (const { id } of statements) assert.equal((await confirm(id, 'change')).status, 200)
  await check()
  assert.match(text(), /no statements may be false because of this change/)
  assert.equal(code.statuses.at(-1)?.said.state, 'success')
  assert.deepEqual(await states(), { 'line 3': 'confirmed', 'line 5': 'confirmed' })

  await commit('limits', CLI.replace('512', '2048'))
  await pullRequest(number, 'limits')
  assert.match(text(), /1 statement may be false/, 'another change of a confirmed line')

  // Makes the next check of the pull request due, which finds the reaction.
  const react = async (author: string) => {
    code.react(comments()[0]?.id ?? 0, author, '+1')
    await scene.api.database.queries
      .updateTable('statement_checks')
      .set({ look_at: new Date(0) })
      .where('pull_request', '=', number)
      .where('look_at', '<', new Date(Date.now() + 3_600_000))
      .execute()
    await check()
  }
  await react('reader')
  assert.match(text(), /1 statement may be false/, 'somebody who may only read')
  await react('maintainer')
  assert.match(text(), /no statements may be false because of this change/)
  const [confirmed] = (await list('?state=confirmed')).statements.filter(({ line }) => line === 5)
  assert.deepEqual([confirmed?.confirmed?.by, confirmed?.confirmed?.for], ['maintainer (github)', 'change'])
  assert.equal((await confirm(confirmed?.id ?? '', 'none')).status, 200)
  await check()
  assert.match(text(), /1 statement may be false/, 'a withdrawn confirmation is not made again')
  await commit('limits', CLI.replace('512', '2049').replace('--log-level', '--chattiness'))
  code.react(comments()[0]?.id ?? 0, 'maintainer', '+1')
  await pullRequest(number, 'limits')
  assert.match(text(), /2 statements may be false/, 'alarms that nobody had seen')
  assert.equal((await confirm((await list('?page=guide.mdx')).statements[0]?.id ?? '', 'change')).status, 200)
  assert.equal((await confirm((await list('?page=guide.mdx')).statements[1]?.id ?? '', 'change')).status, 200)
  await check()
  await pullRequest(number, 'limits', { state: 'closed', merged: false })
  assert.deepEqual(await states(), { 'line 3': 'confirmed', 'line 5': 'confirmed' })
  assert.equal(comments().length, 1)
})

test('a push puts statements in doubt until the page, the code or a confirmation resolves it', async () => {
  const made = await scene.create({ trigger: { kind: 'alarm' }, prompt: 'Correct them.' })
  await push(CLI.replace('512', '4096'))
  assert.deepEqual(await states(), { 'line 3': 'confirmed', 'line 5': 'in_doubt' })
  const [alarm] = (await list('?state=in_doubt')).statements[0]?.alarms ?? []
  assert.deepEqual(
    [alarm?.reason, alarm?.after?.text, alarm?.pullRequest],
    ['value', 'export const cacheSize = 4096', null],
  )

  await scene.look()
  const [run, ...more] = await scene.runs(made.automationId)
  assert.deepEqual([run?.cause, run?.state, run?.topic, more], ['alarm', 'started', 'code api', []])
  const [prompt] = await scene.prompts(run?.jobId ?? '')
  assert.match(
    prompt?.told[0]?.text ?? '',
    /guide\.mdx:5: .*\n- src\/cli\.ts:2: .*512\n\+ src\/cli\.ts:2: .*4096/,
  )
  await scene.look(made.automationId)
  assert.equal((await scene.runs(made.automationId)).length, 1, 'each alarm is handed on once')

  await push(CLI)
  assert.equal((await states())['line 5'], 'confirmed', 'the old line is back')
  await push(CLI.replace('512', '8192'))
  const [doubted] = (await list('?state=in_doubt')).statements
  assert.equal((await confirm(doubted?.id ?? '', 'always')).status, 200)
  await push(CLI.replace('512', '16384'))
  assert.equal((await states())['line 5'], 'confirmed', 'for good')
  assert.equal((await confirm(doubted?.id ?? '', 'none')).status, 200)
  assert.equal((await states())['line 5'], 'in_doubt')

  const aged = {
    project_id: scene.api.acme.projectId,
    statement: 'stm_gone',
    changes: null,
    confirmed_by: 'x',
  }
  await scene.api.database.queries
    .insertInto('statement_confirmations')
    .values({ ...aged, confirmed_at: new Date(Date.now() - 91 * 86_400_000) })
    .execute()
  await docs.commit({
    'guide.mdx': '# Guide\n\nPass `--log-level` to choose.\n\n`cacheSize` is 16384 by default.\n',
  })
  await scene.api.database.queries
    .updateTable('statement_checks')
    .set({ look_at: new Date(0) })
    .execute()
  await check()
  assert.deepEqual(await states(), { 'line 3': 'confirmed', 'line 5': 'bound' })
  const held = await scene.api.database.queries
    .selectFrom('statement_confirmations')
    .select('statement')
    .execute()
  assert.equal(held.length, 1, 'those of statements that are long gone are deleted')
  assert.equal((await confirm('stm_none', 'always')).status, 404)
})

test('a model binds statements that no name links, once per page, by literal quotations only', async () => {
  const page = async () => (await list('?page=limits.mdx')).statements
  const again = async () => {
    await scene.api.database.queries
      .updateTable('statement_checks')
      .set({ look_at: new Date(0) })
      .execute()
    await check()
  }
  const pushLimits = async (text: string) => {
    await clone.commit({ 'src/limits.ts': text })
    await clone.git('push', '--quiet', '--force', 'origin', 'main')
    await again()
  }
  const LIMITS =
    'export const maxLanguages = 20\nexport const backupCount = 30\nexport const uploadMinutes = 45\n'
  await docs.commit({
    'limits.mdx':
      'A site has at most 20 languages.\n\nIt has 30 backups.\n\nAn upload can take 45 minutes.\n',
  })
  await pushLimits(LIMITS)
  assert.deepEqual([await page(), model.requests.length], [[], 0], 'without a model')

  agent.modelName = 'openai-compatible:stand-in'
  await again()
  assert.deepEqual([await page(), model.requests.length], [[], 1], 'the model is down')
  answer = [
    'Here they are:',
    { statement: 1, line: 1, quote: 'maxLanguages = 20' },
    { statement: 2, line: 1, quote: 'backupCount = 31' },
    { statement: 3, line: 1, quote: 'export const' },
    { statement: 9, line: 1, quote: '45' },
  ]
    .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join('\n')
  await again()
  assert.match(
    model.requests[1]?.messages.at(-1)?.content ?? '',
    /Statement 1: A site has at most 20 languages\.\n {2}1\. src\/limits\.ts: export const maxLanguages = 20\n/,
  )
  const [read, ...others] = await page()
  const binding = { name: 'maxLanguages', repository: 'api', file: 'src/limits.ts', line: 1 }
  assert.deepEqual(
    [read?.text, read?.state, read?.bindings, others],
    [
      ...['A site has at most 20 languages.', 'bound'],
      [{ ...binding, text: 'export const maxLanguages = 20', quote: 'maxLanguages = 20' }],
      [],
    ],
  )
  await docs.commit({ 'more.mdx': 'Hello.\n' })
  await pushLimits(`// Limits\n${LIMITS}`)
  assert.deepEqual((await page())[0]?.bindings[0]?.line, 2, 'a line that has moved')
  assert.equal(model.requests.length, 2, 'nothing is read twice')

  await pushLimits(LIMITS.replace('20', '25'))
  const [doubted] = await page()
  assert.deepEqual(
    [doubted?.state, doubted?.alarms.map(({ reason, after }) => [reason, after?.text])],
    ['in_doubt', [['value', 'export const maxLanguages = 25']]],
  )
  await pushLimits(LIMITS)
  assert.equal((await page())[0]?.state, 'bound')
  assert.deepEqual(model.faults, [])
  agent.modelName = null
  await again()
  assert.deepEqual(await page(), [], 'a model that is gone')
})

test('an unreadable repository keeps its statements with an error, and removing it removes them', async () => {
  const { queries } = scene.api.database
  const due = () =>
    queries
      .updateTable('statement_checks')
      .set({ look_at: new Date(0) })
      .execute()
  await queries.updateTable('code_repositories').set({ ref: 'nowhere' }).execute()
  await due()
  await createStatementChecks(deps)(signal)
  const { error, statements } = await list()
  assert.match(error ?? '', /nowhere/)
  assert.equal(statements.length, 2)
  for (const query of ['?page=a%00b', '?file=', '?state=odd', '?limit=0'])
    assert.equal((await scene.api.fetch(path(query), withKey(scene.api.acme.key))).status, 400, query)
  await queries.deleteFrom('code_repositories').execute()
  await due()
  await check()
  assert.deepEqual(await list(), {
    ...{ statements: [], nextCursor: null, hasMore: false, checkedAt: null, error: null },
  })
})
