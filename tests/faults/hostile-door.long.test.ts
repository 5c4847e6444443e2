/**
 * Sends content designed to block a server through the public interfaces: pushed to a repository, published and
 * exported over HTTP, or sent by a model. The server keeps responding, the work ends with an error its owner can act
 * on, and later work succeeds. An idle server provides the baseline for delays of the machine itself.
 */
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import { DOCS } from '../kit/agent.ts'
import { createTestRepository, startGitServer, type TestRepository } from '../kit/git.ts'
import { type HostileFolder, hostileFolders } from '../kit/hostile-sites.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { type StartedServer, startServer, type Watched } from '../kit/started-server.ts'
import { ended, loadFactor } from '../kit/until.ts'

const LONGEST_ANSWER_MS = 500
const LONGEST_STALL_MS = 200
const DOMAIN = 'hostile.example.com'
/** Patterns without a match that would take hours in a backtracking engine. */
const PATTERNS = [
  'a{0}{500}{500}{500}{500}',
  '(a*)*{500}{500}b',
  '(?:(?:a|a)+)+$',
  '((a{0,500}){0,500}){0,500}',
]
const PROMPT = 'Look for patterns.'

const resources = new AsyncDisposableStack()
let server: StartedServer
let repository: TestRepository
let projectId: string
let teaProject: string

before(async () => {
  repository = resources.use(await createTestRepository())
  const git = resources.use(await startGitServer({ folder: repository.folder }))
  const tea = resources.use(await createTestRepository(DOCS))
  const recording = join(tea.folder, '.git', 'recording.json')
  await writeFile(recording, JSON.stringify(recordedSearches()))
  server = resources.use(
    await startServer({
      OCTAVO_SITE_MEMORY_MB: '256',
      OCTAVO_GIT_ALLOW_HTTP: 'true',
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_MODEL: `replay:${recording}`,
    }),
  )
  projectId = await server.addProject(DOMAIN, { kind: 'git', repository: `${git.url}/.git` })
  teaProject = await server.addProject('tea.example.com', { kind: 'folder', repository: tea.folder })
})
after(() => resources.disposeAsync())

function recordedSearches(): object {
  const toolCalls = PATTERNS.map((query) => ({ name: 'search', input: { query, mode: 'regex' } }))
  const answers = [
    { text: 'I look.', toolCalls },
    {
      toolCalls: [
        { name: 'finish', input: { title: 'Nothing', summary: 'Nothing to change.', reasons: [] } },
      ],
    },
  ]
  return { model: 'test:recorded', conversations: [{ prompt: PROMPT, answers }] }
}

interface Ended {
  deployment: { status: string; error: string | null; problems: string[] }
  job: { status: string; error: string | null; problems: string[] }
}

async function publishAndExport(): Promise<Ended> {
  const { client } = server
  const { deploymentId } = await client.startDeployment(projectId)
  const deployment = await ended(() => client.getDeployment(projectId, deploymentId))
  const { jobId } = await client.startExport({ domain: DOMAIN })
  const job = await ended(() => client.getExport(jobId))
  const problemsOf = ({ warnings }: { warnings: readonly { message: string }[] }) =>
    warnings.map(({ message }) => message)
  return {
    deployment: { status: deployment.status, error: deployment.error, problems: problemsOf(deployment) },
    job: { status: job.status, error: job.error ?? null, problems: problemsOf(job) },
  }
}

async function push(write: (folder: string) => Promise<void>): Promise<void> {
  for (const name of (await repository.git('ls-files')).split('\n').map((path) => path.split('/')[0] ?? ''))
    if (name !== '') await rm(join(repository.folder, name), { recursive: true, force: true })
  await write(repository.folder)
  await repository.commit({})
}

function holds(t: TestContext, { answers, answer, stall }: Watched): void {
  const round = Math.round
  t.diagnostic(
    `${answers} answers, the longest after ${round(answer.longest)} ms (a bare server ${round(answer.bare)}); ` +
      `event loop ${round(stall.longest)} ms, its own ${round(stall.own)} (${round(stall.bare)})`,
  )
  const longest = LONGEST_ANSWER_MS * loadFactor() + answer.bare
  assert.ok(answer.longest <= longest, `an answer took ${round(answer.longest)} ms, not ${round(longest)}`)
  assert.ok(stall.own <= LONGEST_STALL_MS, `the event loop stood still for ${round(stall.own)} ms`)
}

function attack({ name, write, fails, says }: HostileFolder): void {
  test(`${name}: the server keeps answering, and the publish and export end`, async (t) => {
    await push(write)
    const { out, watched } = await server.watch(publishAndExport())
    const { deployment, job } = out
    t.diagnostic(
      `${deployment.status} ${deployment.error ?? ''} ${deployment.problems.slice(0, 3).join(' | ')}`,
    )
    if (fails === null) {
      assert.deepEqual(
        [deployment.status, job.status],
        ['published', 'completed'],
        deployment.error ?? job.error ?? '',
      )
      for (const sentence of says) assert.match(deployment.problems.join('\n'), sentence)
    } else {
      assert.deepEqual([deployment.status, job.status], ['failed', 'failed'])
      assert.match(deployment.error ?? '', fails)
      assert.match(job.error ?? '', fails)
    }
    holds(t, watched)
  })
}

for (const folder of hostileFolders()) attack(folder)

test('regular expressions from a model end, and the server keeps answering', async (t) => {
  const { client } = server
  const searched = async () => {
    const { id } = await client.createAgentJob(teaProject, { prompt: PROMPT })
    for await (const _event of followAgentJob(client, teaProject, id, { pauseMs: 100 }));
    return await client.getAgentJob(teaProject, id)
  }
  const { out, watched } = await server.watch(searched())
  t.diagnostic(`${out.status}`)
  assert.equal(out.status, 'completed')
  holds(t, watched)
})

test('a valid site is published and exported after all hostile sources', async (t) => {
  await push((folder) => writeSite(folder, smallSite(3)))
  const { out, watched } = await server.watch(publishAndExport())
  assert.deepEqual([out.deployment.status, out.job.status], ['published', 'completed'])
  holds(t, watched)
})
