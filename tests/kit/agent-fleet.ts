/**
 * Agent jobs in an environment that is real and can be broken: an API node in this process, worker processes, a model
 * server, forges behind observing proxies, and a local repository.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { addProject } from '../../src/app/operator/administration.ts'
import { ApiError } from '../../src/client/call.ts'
import type { Database } from '../../src/database/database.ts'
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import type { ForgeKind } from '../../src/git/forges/forge-location.ts'
import { DOCS } from './agent.ts'
import { type ForgeServer, startForgeServer } from './forge-servers/start-forge-server.ts'
import { createTestRepository } from './git.ts'
import { type HoldMoment, startHoldingProxy } from './holding-proxy.ts'
import {
  type Behaviour,
  type ChatRequest,
  type ModelServer,
  refuses,
  replies,
  startModelServer,
} from './model-server.ts'
import { startTestNode, type TestNode } from './node.ts'
import { type LogLine, startWorkerProcess, type WorkerProcess } from './worker-process.ts'

const SECRET = 'one secret for the nodes of this test'
export const MODEL_KEY = 'sk-fleet-58c1f0a7d2946be3'

export interface FleetRepository {
  kind: ForgeKind | 'local'
  projectId: string
  /** Null for a local repository. */
  forge: ForgeServer | null
  git(...args: string[]): Promise<string>
  /** Returns all pull requests of the branch, in any state. Empty for a local repository. */
  requestsFrom(branch: string): { number: number; link: string }[]
  onMoment(hold: HoldMoment): void
  /** Responds in place of the forge whenever the function returns a status. */
  refuse(status: (path: string) => number | null): void
}

export interface Fleet {
  octavo: TestNode
  database: Database
  model: ModelServer
  repositories: FleetRepository[]
  /** Log lines of the workers. */
  log: string[]
  startWorker(onLine?: (line: LogLine) => void): WorkerProcess
  /** Polls until the job is no longer active; throws after `withinMs`. */
  ended(projectId: string, jobId: string, withinMs?: number): Promise<AgentJob>
  [Symbol.asyncDispose](): Promise<void>
}

export async function openFleet(options: {
  behave?: (request: ChatRequest, number: number) => Behaviour
  env?: Record<string, string>
  /** Creates one repository per entry, followed by a local one. */
  forges?: readonly ForgeKind[]
}): Promise<Fleet> {
  await using opening = new AsyncDisposableStack()
  const model = opening.use(await startModelServer(options.behave ?? taskBehaviour))
  const kinds = options.forges ?? ['gitea', 'github']
  const forges = await Promise.all(kinds.map((kind) => openForge(opening, kind)))
  const env = {
    OCTAVO_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL_URL: model.url,
    OCTAVO_MODEL_KEY: MODEL_KEY,
    OCTAVO_FORGES: forges.map(({ host, kind }) => `${host}=${kind}`).join(','),
    OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*',
    OCTAVO_GIT_TOKENS: forges.map(({ host, token }) => `${host}=${token}`).join(','),
    OCTAVO_GIT_ALLOW_HTTP: 'true',
    OCTAVO_LIMIT_AGENT_JOBS: '100000/3600',
    OCTAVO_SECRET: SECRET,
    ...options.env,
  }
  const octavo = opening.use(await startTestNode({ OCTAVO_ROLE: 'api', ...env }))
  const repositories = [
    ...(await Promise.all(forges.map((forge) => addForgeProject(octavo, forge)))),
    await addLocalProject(opening, octavo),
  ]
  const log: string[] = []
  const { database } = octavo.node.context
  const open = opening.move()
  return {
    octavo,
    database,
    model,
    repositories,
    log,
    startWorker(onLine = () => undefined) {
      const workerEnv = {
        ...env,
        DATABASE_URL: octavo.databaseUrl,
        OCTAVO_DATABASE_POOL: '4',
        OCTAVO_DATA: octavo.dataFolder,
        OCTAVO_PUBLIC_URL: octavo.url,
        // More slots than jobs, so that an interrupted job waits for its lease and not for a slot.
        OCTAVO_WORKERS: '4',
        ...options.env,
      }
      return startWorkerProcess(workerEnv, (line, text) => {
        log.push(text)
        onLine(line)
      })
    },
    async ended(projectId, jobId, withinMs = 900_000) {
      const until = performance.now() + withinMs
      for (;;) {
        // On a busy machine the server may report that the database is unreachable.
        const job = await octavo.client.getAgentJob(projectId, jobId).catch((error) => {
          if (error instanceof ApiError && error.status === 503) return null
          throw error
        })
        if (job !== null && job.status !== 'active') return job
        if (performance.now() > until) throw new Error(`the job ${jobId} is stuck`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function openForge(opening: AsyncDisposableStack, kind: ForgeKind) {
  const server = opening.use(await startForgeServer(kind, { files: DOCS }))
  const proxy = opening.use(await startHoldingProxy(new URL(server.address).origin))
  return { kind, server, proxy, host: proxy.host, token: server.token }
}

type OpenForge = Awaited<ReturnType<typeof openForge>>

async function addForgeProject(
  octavo: TestNode,
  { kind, server, proxy }: OpenForge,
): Promise<FleetRepository> {
  const project = await addProject(octavo.node.context, {
    organizationId: octavo.organizationId,
    name: kind,
    domains: [`${kind}-${proxy.host.split(':')[1]}.example.com`],
    source: { kind: 'git', repository: proxy.origin + new URL(server.address).pathname },
  })
  return {
    kind,
    projectId: project.id,
    forge: server,
    git: server.git,
    requestsFrom: (branch) =>
      server.requests
        .filter((request) => request.branch === branch)
        .map(({ number }) => ({ number, link: `/${number}` })),
    onMoment(hold) {
      proxy.hold = hold
    },
    refuse(status) {
      proxy.refuse = status
    },
  }
}

async function addLocalProject(opening: AsyncDisposableStack, octavo: TestNode): Promise<FleetRepository> {
  const repository = opening.use(await createTestRepository(DOCS))
  // Created before the first branch, so that it can be watched.
  await mkdir(join(repository.folder, '.git/refs/heads/octavo'), { recursive: true })
  const project = await addProject(octavo.node.context, {
    organizationId: octavo.organizationId,
    name: 'local',
    domains: ['local.example.com'],
    source: { kind: 'folder', repository: repository.folder },
  })
  return {
    kind: 'local',
    projectId: project.id,
    forge: null,
    git: repository.git,
    requestsFrom: () => [],
    onMoment: () => undefined,
    refuse: () => undefined,
  }
}

/** Returns the prompt of a task: `part` 1 starts the job, later parts are messages to it. */
export const taskPrompt = (task: number, part: number) => `Task ${task}, part ${part}: write it down.`

/** Page and edit of each part of a task. */
export const TASK_PAGES = [
  { path: 'guides/brew.mdx', before: 'Use water', after: (task: number) => `Of task ${task}: use water` },
  { path: 'index.mdx', before: 'All about tea', after: (task: number) => `Of task ${task}: all about tea` },
] as const

/** Number of model answers per part of a task. */
export const STEPS_OF_TASK = 5

export function taskOf({ messages }: ChatRequest): { task: number; part: number; step: number } {
  const index = messages.findLastIndex(
    ({ role, content }) => role === 'user' && /^Task \d/.test(content ?? ''),
  )
  const [, task, part] = /^Task (\d+), part (\d+)/.exec(messages[index]?.content ?? '') ?? []
  const step = messages.slice(index).filter(({ role }) => role === 'assistant').length
  return { task: Number(task), part: Number(part), step }
}

/** Gives five answers per part, each after up to 500 ms. */
export function taskBehaviour(request: ChatRequest): Behaviour {
  const { task, part, step } = taskOf(request)
  const page = TASK_PAGES[part - 1]
  if (page === undefined) return refuses(400, 'nobody asked for that')
  const { path, before, after } = page
  const answers = [
    { text: 'I look around.', toolCalls: [{ name: 'list_files', input: {} }] },
    { toolCalls: [{ name: 'read_file', input: { path } }] },
    { toolCalls: [{ name: 'plan', input: { items: [{ text: 'Write it down', state: 'at_work' }] } }] },
    { toolCalls: [{ name: 'edit_file', input: { path, oldText: before, newText: after(task) } }] },
    { text: 'Done.', toolCalls: [finishTask(task, part)] },
  ]
  const answer = answers[step]
  if (answer === undefined) return refuses(400, 'it is finished already')
  return async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 500))
    await replies(answer)(exchange)
  }
}

/** Also gives a reason for the pages of earlier parts, because the change of an interrupted part is preserved. */
function finishTask(task: number, part: number) {
  const reasons = TASK_PAGES.slice(0, part).map(({ path }) => ({ path, reason: 'It was asked for.' }))
  return { name: 'finish', input: { title: `Task ${task}`, summary: `Part ${part} of it.`, reasons } }
}
