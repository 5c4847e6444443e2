/**
 * Sends hostile sources to a started server: pushed to repositories and published over HTTP, or sent by a model. Each
 * mutated text, pattern or tree counts as one source, with the same number per kind. Seven kinds that can only break
 * themselves share a site, trees share one by five, each docs.json has its own site, and each agent job takes 50
 * patterns.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import { siteLimits } from '../../src/sandbox/limits.ts'
import { startGitServer } from '../kit/git.ts'
import { mixtureOf } from '../kit/hostile-mixture.ts'
import { type HostileSource, hostileSource, type Kind } from '../kit/hostile-sources.ts'
import { hostileTree, type TreeEntry } from '../kit/hostile-trees.ts'
import { type ProcessWatch, watchProcesses } from '../kit/process-watch.ts'
import { pushTree } from '../kit/push-tree.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { type StartedServer, startServer, type Watched } from '../kit/started-server.ts'
import { ended } from '../kit/until.ts'

export const FUZZ_KINDS = 10
const SHARING = ['frontmatter', 'page', 'component', 'api', 'redirects', 'ignore', 'html'] as const
const SHARED_BY = 5
const TREES_IN_A_SITE = 5
const PATTERNS_IN_A_JOB = 50
const PATTERNS_IN_AN_ANSWER = 10

const LONGEST_STALL_MS = 200
const MEMORY_MB = 1024
const LANES = 2
/** One of ten sources may be up to two megabytes long, the others as long as a long page. */
const LONG_ONES = 10
const USUAL_LENGTH = 40_000

/** A site or a conversation, with its number of sources. */
type Load = { name: string; count: number } & ({ entries: TreeEntry[] } | { patterns: string[] })

interface Ended {
  name: string
  seconds: number
  status: string
  error: string | null
}

/** Runs `perKind` sources of each kind, starting at the seed. */
export async function fuzzServer(t: TestContext, wanted: { seed: number; perKind: number }): Promise<void> {
  const loads = loadsOf(wanted)
  const count = loads.reduce((sum, load) => sum + load.count, 0)
  t.diagnostic(`seed ${wanted.seed}: ${count} sources in ${loads.length} sites and conversations`)
  assert.equal(count, wanted.perKind * FUZZ_KINDS)

  await using scene = await openScene(loads)
  const processes = watchProcesses(scene.server.pid)
  const { out: ended, watched } = await scene.server.watch(takeAll(scene, processes, loads))
  const seen = await processes.end()

  tell(t, ended, watched, seen.length)
  assert.deepEqual(
    seen.filter(({ fault }) => fault !== null),
    [],
    'a process outlived its bounds',
  )
  assert.deepEqual(
    ended.filter(({ status, error }) => !hasReason(status, error)),
    [],
  )
  assert.ok(
    watched.stall.own <= LONGEST_STALL_MS,
    `the event loop stood still for ${Math.round(watched.stall.own)} ms`,
  )
}

function tell(
  t: TestContext,
  ended: readonly Ended[],
  { answers, answer, stall }: Watched,
  processes: number,
) {
  const round = Math.round
  t.diagnostic(
    `${answers} answers, the longest after ${round(answer.longest)} ms (a bare server ${round(answer.bare)}); ` +
      `event loop ${round(stall.longest)} ms, its own ${round(stall.own)} (${round(stall.bare)}); ${processes} processes`,
  )
  const ways = Map.groupBy(ended, ({ status }) => status)
  t.diagnostic([...ways].map(([status, all]) => `${all.length} ${status}`).join(', '))
  for (const error of new Set(ended.map(({ error }) => error?.slice(0, 200) ?? ''))) t.diagnostic(error)
  const slowest = [...ended].sort((a, b) => b.seconds - a.seconds).slice(0, 5)
  t.diagnostic(`slowest: ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`).join(', ')}`)
}

/** Checks that the work succeeded, or failed with an error its owner can act on. */
function hasReason(status: string, error: string | null): boolean {
  if (status !== 'failed') return ['published', 'completed'].includes(status)
  return error !== null && !/internal error/i.test(error)
}

function loadsOf({ seed, perKind }: { seed: number; perKind: number }): Load[] {
  const textOf = (kind: Kind, number: number) => {
    const longest = number % LONG_ONES === 0 ? {} : { longest: USUAL_LENGTH }
    return hostileSource(seed + number, { kind, ...longest })
  }
  const numbers = Array.from({ length: perKind }, (_, number) => number)
  const shared = chunks(numbers, SHARED_BY).map((some) => {
    const sources = some.flatMap((number) => SHARING.map((kind) => textOf(kind, number)))
    return siteLoad(`mixture ${some[0]}`, sources)
  })
  const settings = numbers.map((number) => siteLoad(`settings ${number}`, [textOf('settings', number)]))
  const trees = chunks(numbers, TREES_IN_A_SITE).map((some): Load => {
    const grown = some.map((number) => hostileTree(seed + number, `t${number}`))
    const shapes = grown.flatMap(({ shapes }) => shapes).join(' ')
    const entries = [...entriesOf(smallSite(1)), ...grown.flatMap(({ entries }) => entries)]
    return { name: `trees ${some[0]}: ${shapes}`, count: some.length, entries }
  })
  const said = chunks(numbers, PATTERNS_IN_A_JOB).map((some): Load => {
    const patterns = some.map((number) => textOf('pattern', number).text)
    return { name: `patterns ${some[0]}`, count: some.length, patterns }
  })
  return [...said, ...shared, ...trees, ...settings]
}

function siteLoad(name: string, sources: readonly HostileSource[]): Load {
  return { name, count: sources.length, entries: entriesOf(mixtureOf(sources)) }
}

function entriesOf(files: Readonly<Record<string, string>>): TreeEntry[] {
  return Object.entries(files).map(([path, content]) => ({ kind: 'file', path: Buffer.from(path), content }))
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  )
}

interface Scene extends AsyncDisposable {
  server: StartedServer
  /** Projects that publish one site after another. */
  lanes: readonly { projectId: string; domain: string; gitDir: string }[]
  agentProject: string
}

async function openScene(loads: readonly Load[]): Promise<Scene> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-fuzz-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const git = opening.use(await startGitServer({ folder }))
  const recording = join(folder, 'recording.json')
  await writeFile(recording, JSON.stringify({ model: 'test:recorded', conversations: loads.flatMap(spoken) }))
  const tea = join(folder, 'tea')
  await mkdir(tea)
  await writeSite(tea, { ...smallSite(2), 'long.md': `${'abé /'.repeat(20_000)}\n`.repeat(3) })
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', tea])
  execFileSync('git', ['-C', tea, 'add', '--all'])
  execFileSync('git', [
    '-C',
    tea,
    '-c',
    'user.name=T',
    '-c',
    'user.email=t@example.com',
    'commit',
    '-qm',
    'x',
  ])
  const server = opening.use(
    await startServer({
      OCTAVO_SITE_MEMORY_MB: String(MEMORY_MB),
      OCTAVO_GIT_ALLOW_HTTP: 'true',
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_MODEL: `replay:${recording}`,
    }),
  )
  const lanes = await Promise.all(
    Array.from({ length: LANES }, async (_, number) => {
      const gitDir = join(folder, `lane${number}.git`)
      execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir])
      const domain = `lane${number}.example.com`
      const repository = `${git.url}/lane${number}.git`
      return { projectId: await server.addProject(domain, { kind: 'git', repository }), domain, gitDir }
    }),
  )
  const agentProject = await server.addProject('tea.example.com', { kind: 'folder', repository: tea })
  const open = opening.move()
  return { server, lanes, agentProject, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** Model responses that search each pattern once in lines, and also as a glob if it is short enough. */
function spoken(load: Load): object[] {
  if (!('patterns' in load)) return []
  const calls = load.patterns.map((query) => ({
    name: 'search',
    input: { query, mode: 'regex', ...(query.length <= 300 ? { glob: query } : {}) },
  }))
  const lines = load.patterns.map((query) => ({ name: 'search', input: { query, mode: 'regex' } }))
  const finish = { name: 'finish', input: { title: 'Nothing', summary: 'Nothing to change.', reasons: [] } }
  const answers = chunks([...calls, ...lines], PATTERNS_IN_AN_ANSWER).map((toolCalls) => ({ toolCalls }))
  return [{ prompt: load.name, answers: [...answers, { toolCalls: [finish] }] }]
}

/** Lanes take sites until none is left; conversations run in a lane of their own. */
async function takeAll(scene: Scene, processes: ProcessWatch, loads: readonly Load[]): Promise<Ended[]> {
  const ended: Ended[] = []
  const timed = async (load: Load, work: () => Promise<Pick<Ended, 'status' | 'error'>>) => {
    const began = performance.now()
    const out = await processes.during(cpuSecondsFor(load), work)
    ended.push({ name: load.name, seconds: (performance.now() - began) / 1000, ...out })
  }
  const said = loads.filter((load) => 'patterns' in load)
  const sites = loads.filter((load) => 'entries' in load).values()
  const talk = async () => {
    for (const load of said) await timed(load, () => converse(scene, load.name))
  }
  const lanes = scene.lanes.map(async (lane) => {
    for (const load of sites) await timed(load, () => publish(scene, lane, load.entries))
  })
  await Promise.all([talk(), ...lanes])
  return ended
}

/** Limit the server sets for the process of the site; no other process may take more. */
function cpuSecondsFor(load: Load): number {
  if (!('entries' in load)) return siteLimits(10, 1_000_000, MEMORY_MB).cpuSeconds
  const bytes = load.entries.reduce((sum, entry) => sum + ('content' in entry ? entry.content.length : 0), 0)
  return siteLimits(load.entries.length, bytes, MEMORY_MB).cpuSeconds
}

async function converse({ server, agentProject }: Scene, prompt: string) {
  const { client } = server
  const { id } = await client.createAgentJob(agentProject, { prompt })
  for await (const _event of followAgentJob(client, agentProject, id, { pauseMs: 200 }));
  return await client.getAgentJob(agentProject, id)
}

async function publish(
  { server }: Scene,
  { projectId, domain, gitDir }: Scene['lanes'][number],
  entries: TreeEntry[],
) {
  await pushTree(gitDir, entries)
  const { client } = server
  const { deploymentId } = await client.startDeployment(projectId)
  const deployment = await ended(() => client.getDeployment(projectId, deploymentId))
  if (deployment.status === 'published') await visit(server.url, domain)
  return deployment
}

/** Requests paths of the live site that the server process handles itself. */
async function visit(url: string, domain: string): Promise<void> {
  const paths = [
    '/',
    '/page-1',
    '/a/b/c',
    `/${'a/'.repeat(2000)}`,
    `/${'%2e'.repeat(500)}`,
    '/search-index.js',
  ]
  for (const path of paths)
    await new Promise<void>((resolve, reject) => {
      request(`${url}${path}`, { headers: { host: domain } }, (response) => {
        response.resume().on('end', resolve)
      })
        .on('error', reject)
        .end()
    })
}
