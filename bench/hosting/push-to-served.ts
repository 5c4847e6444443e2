/**
 * Measures the time from a push of one changed page until readers get it, from a push that changes no page, and from a
 * rollback to the previous version: `octavo start`, a real git server over HTTP, a signed webhook, and a polling
 * reader. CPU time includes the server and all processes that it starts, except PostgreSQL.
 */
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DeploymentState } from '../../src/features/hosting/operations/deployments.ts'
import { createTestRepository, startGitServer } from '../../tests/kit/git.ts'
import { addPerson, signedIn } from '../../tests/kit/people.ts'
import { siteRequest, startServer } from '../../tests/kit/started-server.ts'
import { secondsOfTree } from '../agent/processor-time.ts'
import { median } from './load.ts'

const PAGES = Number(process.env.OCTAVO_BENCH_PAGES ?? 4000)
const ROUNDS = Number(process.env.OCTAVO_BENCH_ROUNDS ?? 5)
const DOMAIN = 'docs.example.com'
const PAGE = 'part-1/group-1/changed'
/** Polling interval of the reader. */
const LOOK_MS = 10
/** Interval for checking whether the deployment has failed, which costs more than a poll. */
const ASK_MS = 1000

const run = promisify(execFile)
const say = (text: string) => process.stdout.write(`${text}\n`)

await using running = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'octavo-bench-'))
running.defer(() => rm(folder, { recursive: true, force: true }))
const work = running.use(await createTestRepository({}, folder))
await run(process.execPath, ['bench/many-pages.ts', work.folder, String(PAGES)])
const settings = join(work.folder, 'docs.json')
const docs = JSON.parse(await readFile(settings, 'utf8'))
docs.navigation.tabs[0].groups[0].pages.unshift(PAGE)
await writeFile(settings, JSON.stringify(docs))
await work.git('clone', '--quiet', '--bare', '.', join(folder, 'docs.git'))
await work.git('remote', 'add', 'origin', join(folder, 'docs.git'))
const git = running.use(await startGitServer({ folder }))

const server = running.use(
  await startServer({ OCTAVO_GIT_ALLOW_HTTP: 'true', OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*' }),
)
const repository = `${git.url}/docs.git`
const projectId = await server.addProject(DOMAIN, { kind: 'git', repository, ref: 'main' })
const email = 'admin@example.com'
const organizationId = await server.onDatabase(async (database) => {
  const { id } = await database.queries.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
  await addPerson(database, { email, organizationId: id, role: 'admin' })
  return id
})
const admin = await signedIn(server.url, { email, organizationId })
const { secret } = await admin.json<{ secret: string }>(`/internal/projects/${projectId}/publishing/secret`, {
  method: 'POST',
})

const withText = (text: string) => ({ [`${PAGE}.mdx`]: `---\ntitle: Changed\n---\n\n${text}\n` })

/** Returns the milliseconds of the push and of the webhook request after it. */
async function push(
  files: Record<string, string>,
): Promise<{ commit: string; pushed: number; told: number }> {
  const commit = await work.commit(files)
  const began = performance.now()
  await work.git('push', '--quiet', 'origin', 'main')
  const pushed = performance.now() - began
  const body = JSON.stringify({ ref: 'refs/heads/main', after: commit })
  const response = await fetch(`${server.url}/hooks/push/${projectId}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
  if (response.status !== 202) throw new Error(await response.text())
  return { commit, pushed, told: performance.now() - began - pushed }
}

/** Waits until a reader gets the text. Returns the milliseconds. */
async function served(text: string): Promise<number> {
  const began = performance.now()
  for (let next = began + ASK_MS; ; ) {
    const page = await siteRequest(server, DOMAIN, `/${PAGE}`)
    if (page.status === 200 && page.text.includes(text)) return performance.now() - began
    await sleep(LOOK_MS)
    if (performance.now() < next) continue
    next += ASK_MS
    const [newest] = (await server.client.listDeployments(projectId, { limit: 1 })).deployments
    if (newest?.status === 'failed') throw new Error(newest.error ?? '')
  }
}

async function stagesOf(commit: string): Promise<DeploymentState> {
  for (;;) {
    const { deployments } = await server.client.listDeployments(projectId, { limit: 5 })
    const found = deployments.find(({ revision, status }) => revision === commit && status === 'published')
    if (found !== undefined) return server.client.getDeployment(projectId, found.deploymentId)
    await sleep(LOOK_MS)
  }
}

/** Milliseconds of a stage. The stage that moves the pointer has no end of its own; it ends with the deployment. */
const lengthOf = (
  { startedAt, endedAt }: DeploymentState['stages'][number],
  deployment: Pick<DeploymentState, 'endedAt'>,
) => Date.parse(endedAt ?? deployment.endedAt ?? '') - Date.parse(startedAt)

say(`${PAGES} pages, ${cpus().length} cores`)
const spent = async () => secondsOfTree(server.pid)
const before0 = await spent()
await push(withText('Text of round 0.'))
const first = (await served('Text of round 0.')) / 1000
say(`first publish: ${first.toFixed(1)} s, ${((await spent()) - before0).toFixed(1)} s of a processor`)
const rows: Record<string, number[]> = {}
const note = (name: string, ms: number) => {
  rows[name] = [...(rows[name] ?? []), ms]
}
for (let round = 1; round <= ROUNDS; round++) {
  const text = `Text of round ${round}.`
  const began = await spent()
  const { commit, pushed, told } = await push(withText(text))
  const waited = await served(text)
  note('git push', pushed)
  note('webhook answered', told)
  note('push to served, with both', pushed + told + waited)
  process.stderr.write(`round ${round}: ${Math.round(pushed + told + waited)} ms\n`)
  const deployment = await stagesOf(commit)
  for (const stage of deployment.stages) note(`  ${stage.name}`, lengthOf(stage, deployment))
  note('  processor time', ((await spent()) - began) * 1000)
}
for (let round = 1; round <= ROUNDS; round++) {
  const began = await spent()
  const { commit } = await push({ '.round': `Round ${round}` })
  const { stages, ...deployment } = await stagesOf(commit)
  note(
    'no page changed: begun to published',
    Date.parse(deployment.endedAt ?? '') - Date.parse(stages[1]?.startedAt ?? ''),
  )
  note('  processor time of it', ((await spent()) - began) * 1000)
}
const { deployments } = await server.client.listDeployments(projectId, { limit: ROUNDS + 2 })
const [newest, before] = deployments.slice(ROUNDS)
if (newest === undefined || before === undefined) throw new Error('there is nothing to go back to')
for (let round = 0; round < ROUNDS; round++) {
  const back = performance.now()
  await server.client.promoteDeployment(projectId, before.deploymentId)
  await served(`Text of round ${ROUNDS - 1}.`)
  note('rollback to served', performance.now() - back)
  await server.client.releaseSite(projectId)
  await served(`Text of round ${ROUNDS}.`)
}
say('| | median ms | longest ms |\n|---|---|---|')
for (const [name, times] of Object.entries(rows))
  say(`| ${name} | ${Math.round(median(times))} | ${Math.round(Math.max(...times))} |`)
