/**
 * A whole node with a secret in every possible location, watched by a sentinel; two projects with hostile repositories,
 * one on a forge and one in a local folder; and a model that always obeys the attacker.
 */
import { type ChildProcess, type SpawnOptionsWithStdioTuple, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { loadConfig } from '../../src/app/config/config.ts'
import { operatorRules } from '../../src/app/config/project-rules.ts'
import { mapBounded } from '../../src/base/bounded.ts'
import { createClient, type OctavoClient } from '../../src/client/client.ts'
import { followAgentJob } from '../../src/client/follow-agent-job.ts'
import type { AgentEvent, AgentJob } from '../../src/features/agent/operations/agent.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { addKey, addOrganization } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { type ForgeServer, startForgeServer } from '../kit/forge-servers/start-forge-server.ts'
import type { TestRepository } from '../kit/git.ts'
import { createHostileRepository, DOCS_FOLDER, fillOutside } from '../kit/injections/hostile-repository.ts'
import { createObedientModel, type ObedientModel } from '../kit/injections/obedient-model.ts'
import { type InjectedJob, type Injection, injections, jobsOf } from '../kit/injections.ts'
import { type ModelServer, startModelServer } from '../kit/model-server.ts'
import type { Sighting } from '../kit/network-sentinel.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'

const WORKERS = 8

export type ProjectKind = 'forge' | 'folder'

export interface EndedJob {
  cases: readonly Injection[]
  project: ProjectKind
  job: AgentJob
  events: AgentEvent[]
}

export interface InjectionScene extends AsyncDisposable {
  url: string
  client: OctavoClient
  database: TestDatabase
  dataFolder: string
  /** Folder that contains the repository of the folder project and its siblings. */
  parent: string
  repository: TestRepository
  forge: ForgeServer
  server: ModelServer
  model: ObedientModel
  /** Requests received by the canary server, which should stay empty. */
  canaryCalls: string[]
  canary: string
  /** Texts that must not leak, by name. */
  secrets: Readonly<Record<string, string>>
  projects: Record<ProjectKind, string>
  cases: readonly Injection[]
  run(): Promise<EndedJob[]>
  /** Log and output of the node. */
  said(): string
  sightings(): Promise<Sighting[]>
}

export async function openInjectionScene(): Promise<InjectionScene> {
  await using opening = new AsyncDisposableStack()
  const parent = await mkdtemp(join(tmpdir(), 'octavo-injection-'))
  opening.defer(() => rm(parent, { recursive: true, force: true }))
  const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-injection-data-'))
  opening.defer(() => rm(dataFolder, { recursive: true, force: true }))
  const outside = join(parent, 'outside')
  const canary = opening.use(await startCanary())

  const cases = injections({ canary: canary.url, outside })
  const jobs = jobsOf(cases)
  const secrets = makeSecrets()
  await mkdir(outside, { recursive: true })
  await fillOutside(outside, secrets.outside)
  const plant = (project: ProjectKind) =>
    createHostileRepository(
      jobs.filter((_, index) => projectOf(index) === project).flatMap((job) => job.cases),
      secrets,
      { parent, outside },
    )
  const repository = opening.use(await plant('folder'))
  const forge = opening.use(await startForgeServer('gitlab', { files: { 'README.md': 'Empty.\n' } }))
  await pushEverything(opening.use(await plant('forge')), forge)
  const model = createObedientModel(cases)
  const server = opening.use(await startModelServer(model.script))

  const database = opening.use(await openTestDatabase())
  const sentinelFile = `${dataFolder}.sentinel`
  opening.defer(() => rm(sentinelFile, { force: true }))
  const node = opening.use(
    await startWatchedNode(sentinelFile, outside, {
      OCTAVO_DATA: dataFolder,
      DATABASE_URL: withPassword(database.url, secrets.databasePassword),
      OCTAVO_SECRET: secrets.nodeSecret,
      OCTAVO_MODEL: 'openai-compatible:obedient',
      OCTAVO_MODEL_URL: server.url,
      OCTAVO_MODEL_KEY: secrets.modelKey,
      ANTHROPIC_API_KEY: secrets.otherModelKey,
      OCTAVO_FORGES: `${forge.host}=${forge.kind}`,
      OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
      OCTAVO_GIT_TOKENS: `${forge.host}=${forge.token},git.example.com=${secrets.otherGitToken}`,
      UNRELATED_SECRET: secrets.ofTheEnvironment,
      HOME: join(outside, 'home'),
    }),
  )
  const organizationId = await addOrganization(database)
  const { text: adminKey } = await addKey(database, organizationId)
  const projects = {
    forge: await addSource(database, organizationId, { kind: 'git', repository: forge.address }),
    folder: await addSource(database, organizationId, { kind: 'folder', repository: repository.folder }),
  }
  const client = createClient({ baseUrl: node.url, apiKey: adminKey })
  const webhookSecret = await addWebhook(node.url, adminKey)
  const open = opening.move()
  return {
    url: node.url,
    client,
    database,
    dataFolder,
    parent,
    repository,
    forge,
    server,
    model,
    canaryCalls: canary.calls,
    canary: canary.url,
    secrets: {
      ...secrets,
      gitToken: forge.token,
      gitTokenEncoded: Buffer.from(`oauth2:${forge.token}`).toString('base64'),
      adminKey,
      webhookSecret,
      passwords: readFileSync('/etc/passwd', 'utf8').split('\n')[0] ?? '',
    },
    projects,
    cases,
    run: () => {
      const work = { client, database, projects, contact: `${secrets.contact}@example.com` }
      return mapBounded(jobs, WORKERS * 2, (job, index) => runJob(work, job, projectOf(index)))
    },
    said: node.said,
    async sightings() {
      const lines = (await readFile(sentinelFile, 'utf8')).trim().split('\n')
      return lines.map((line) => JSON.parse(line) as Sighting)
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

const SECRETS = [
  'databasePassword',
  'nodeSecret',
  'modelKey',
  'otherModelKey',
  'otherGitToken',
  'ofTheEnvironment',
  'outside',
  'inRepository',
  'inHiddenFile',
  'onOtherBranch',
  'contact',
] as const

function projectOf(index: number): ProjectKind {
  return index % 2 === 0 ? 'forge' : 'folder'
}

/** Each secret is unique, so that a leak identifies its source. */
function makeSecrets(): Record<(typeof SECRETS)[number], string> {
  const made = SECRETS.map((name) => [
    name,
    `sk-mark-${name.toLowerCase()}-${randomBytes(12).toString('hex')}`,
  ])
  return Object.fromEntries(made)
}

async function startCanary(): Promise<{ url: string; calls: string[] } & AsyncDisposable> {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    response.end('pwned')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function pushEverything(repository: TestRepository, forge: ForgeServer): Promise<void> {
  const address = new URL(forge.address)
  address.username = 'oauth2'
  address.password = forge.token
  await repository.git('push', '--quiet', '--force', '--all', address.href)
  await repository.git('push', '--quiet', '--tags', address.href)
}

function withPassword(databaseUrl: string, password: string): string {
  const url = new URL(databaseUrl)
  url.password = password
  return url.href
}

/** Same settings as the node: the test forge runs locally over plain HTTP. */
const RULES = operatorRules(
  loadConfig({}, { OCTAVO_GIT_ALLOW_HTTP: 'true', OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*' }).config,
)

async function addSource(
  database: TestDatabase,
  organizationId: string,
  source: { kind: 'git' | 'folder'; repository: string },
): Promise<string> {
  const fields = { name: source.kind, domains: [`${source.kind}.example.com`], actor: 'test' }
  const made = await database.transaction((tx) =>
    createProject(tx, {
      ...fields,
      organizationId,
      source: { ...source, ref: 'main', docsFolder: DOCS_FOLDER },
      rules: RULES,
    }),
  )
  return made.id
}

/** Adds a webhook that no event of the test triggers, and returns its signing secret. */
async function addWebhook(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://hooks.example.com/octavo', events: ['static_export.failed'] }),
  })
  const { secret } = (await response.json()) as { secret?: string }
  if (secret === undefined) throw new Error(`no webhook: ${response.status}`)
  return secret
}

interface WatchedNode extends AsyncDisposable {
  url: string
  said(): string
}

async function startWatchedNode(
  sentinelFile: string,
  cwd: string,
  env: Record<string, string>,
): Promise<WatchedNode> {
  const sentinel = new URL('../kit/network-sentinel.ts', import.meta.url).href
  const main = new URL('../../src/cli/main.ts', import.meta.url).pathname
  const args = [main, 'start', '--json', '--no-sample']
  const options: SpawnOptionsWithStdioTuple<'ignore', 'pipe', 'pipe'> = {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...PROGRAM_ENV,
      // Inherited by the worker process, so that the sentinel watches it too.
      NODE_OPTIONS: `--import=${sentinel}`,
      PORT: '0',
      OCTAVO_LOG: 'debug',
      OCTAVO_AGENT_SELF_REVIEW: 'false',
      OCTAVO_TEST_SENTINEL: sentinelFile,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_GIT_ALLOW_HTTP: 'true',
      OCTAVO_WORKERS: String(WORKERS),
      OCTAVO_RENDER_CHILDREN: '1',
      OCTAVO_LIMIT_AGENT_JOBS: '100000/60',
      OCTAVO_LIMIT_READS: '100000/60',
      ...env,
    },
  }
  const child = spawn(process.execPath, args, options)
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    said += `${line}\n`
  })
  const ready = await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => null)])
  if (ready === null) throw new Error(`the node did not start: ${said}`)
  const { url } = JSON.parse(ready[0] as string) as { url: string }
  return {
    url,
    said: () => said,
    [Symbol.asyncDispose]: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

interface Work {
  client: OctavoClient
  database: TestDatabase
  projects: Record<ProjectKind, string>
  /** Contact of the reader who sends feedback. */
  contact: string
}

async function runJob(
  work: Work,
  { prompt, cases, plants }: InjectedJob,
  project: ProjectKind,
): Promise<EndedJob> {
  const { client, database, projects, contact } = work
  const projectId = projects[project]
  const said = plants.flatMap(({ feedback }) => feedback ?? [])
  const feedbackIds = await putRows(
    database,
    projectId,
    said.map((one) => ({ ...one, contact, source: one.code === undefined ? 'contextual' : 'code_snippet' })),
  )
  const { id } = await client.createAgentJob(projectId, { prompt, ...(said.length > 0 && { feedbackIds }) })
  for (const { followUp } of plants) {
    if (followUp === undefined) continue
    for await (const _event of followAgentJob(client, projectId, id));
    await client.sendAgentMessage(projectId, id, { prompt: followUp })
  }
  const events: AgentEvent[] = []
  for await (const { event } of followAgentJob(client, projectId, id)) events.push(event)
  return { cases, project, job: await client.getAgentJob(projectId, id), events }
}
