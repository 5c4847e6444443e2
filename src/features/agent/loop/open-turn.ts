/** Opens everything that a turn needs, in order; after a crash, restores it from the saved state. */

import type { Forge } from '../../../git/forges/forge.ts'
import { openLocalForge } from '../../../git/forges/local-forge.ts'
import { openProjectRepository, type ProjectRepository } from '../../../git/project-repository.ts'
import { PROJECT_SOURCE_COLUMNS, type ProjectSourceRow } from '../../../git/project-source.ts'
import type { JobContext } from '../../../queue/job-handler.ts'
import type { RowLease } from '../../../queue/leased-rows.ts'
import { openCodeReader } from '../code/code-reader.ts'
import { openWebReader } from '../code/web-reader.ts'
import type { AgentChoice } from '../operations/agent.ts'
import { findStartCommit, openBase } from '../publish/open-base.ts'
import { readOriginals } from '../publish/whole-change.ts'
import { openWorkspace } from '../publish/workspace.ts'
import { reviewLink } from '../review/review-token.ts'
import { capsFor } from '../setup.ts'
import type { JobRow } from '../store.ts'
import type { Run, RunDeps, RunProject } from '../turn-context.ts'
import { loadTurn, type Prompt } from '../turn-store.ts'
import { createTimeLimitError } from './budget.ts'
import { computeRoom, describeTools } from './context-budget.ts'
import { type Instructions, readInstructions } from './instructions.ts'
import { systemPrompt } from './system-prompt.ts'
import type { AgentStatements } from './tool.ts'
import { openToolProcess } from './tool-process.ts'
import { startWorkClock } from './work-clock.ts'

const MAX_INSTRUCTION_BYTES = 1 << 20

export interface OpenTurn {
  run: Run
  [Symbol.asyncDispose](): Promise<void>
}

interface TurnStart {
  held: RowLease
  job: JobRow
  prompt: Prompt
  serverSignal: AbortSignal
}

/** Throws PermanentError, GitError, ForgeError or ModelError when one of the parts is unavailable. */
export async function openTurn(deps: RunDeps, start: TurnStart, context: JobContext): Promise<OpenTurn> {
  const { held, prompt } = start
  await using opening = new AsyncDisposableStack()
  const { project, source, choice } = await readProject(deps, start.job)
  const caps = capsFor(deps.agent, choice, start.job.budget)
  const clock = opening.use(
    startWorkClock(start.job.turn_ms, caps.minutes * 60_000, () => createTimeLimitError(caps)),
  )
  const model = deps.openModel(start.job.model, start.job.effort)
  const repository = openProjectRepository(deps.git, source)
  const forge = await openJobForge(deps, source, repository, start.job)
  const baseContext = { deps, held, log: context.log, clock, repository, signal: context.signal }
  const { job, toolSandbox } = await openBase(baseContext, start)
  opening.use(toolSandbox)
  const baseCommit = job.base_commit ?? ''
  const startCommit = findStartCommit(job)
  const originals = await readOriginals(repository, { from: startCommit, to: baseCommit }, context.signal)
  const saved = await loadTurn(deps.database.queries, held.id)
  const workspace = openWorkspace(toolSandbox.base, saved.changes, job.scope)
  const said: AgentStatements = { plan: job.plan, finish: null }
  const sources = new Map(Object.entries(job.picture_sources))
  const instructions = await readInstructions(
    (paths) => repository.readFiles(startCommit ?? baseCommit, paths, MAX_INSTRUCTION_BYTES, context.signal),
    repository.docsFolder,
  )
  const toolInput = {
    ...siteOf(project, choice),
    usesVale: deps.vale !== null,
    workspace,
    begun: originals,
    caps,
    said,
    toolSandbox,
    clock,
    sources,
  }
  const tools = opening.use(
    openToolProcess(deps, { ...toolInput, guide: instructions.sections }, context.signal),
  )
  const code = opening.use(await openCodeReader(deps, job, clock, context.signal))
  const hasPerson = choice.asksBack !== false && job.automation_id === null && prompt.comments.length === 0
  const run: Run = {
    deps,
    held,
    job,
    project,
    prompt,
    repository,
    forge,
    model,
    caps,
    ...buildModelContext(deps.contextOf(model.name), {
      instructions,
      choice,
      job,
      code: code.names,
      hasPerson,
    }),
    hasPerson,
    seesPictures: deps.seesPictures(model.name),
    code,
    pages: openWebReader(deps.guardedFetch, choice.hosts ?? [], tools.readHtml),
    messages: saved.messages,
    workspace,
    pictureSources: sources,
    ...resolveHabits(deps, choice),
    tools,
    said,
    clock,
    workSignal: AbortSignal.any([context.signal, clock.signal]),
    signal: context.signal,
    serverSignal: start.serverSignal,
    timed: context.timed,
    log: context.log,
  }
  const open = opening.move()
  return { run, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

function siteOf({ siteId, origin }: RunProject, { names = [] }: AgentChoice) {
  return { siteId, origin, names }
}

function resolveHabits(
  { looksAgain, author }: RunDeps,
  { selfReview, externalLinks = false, drafts = false, reviewers = [], labels = [], ...choice }: AgentChoice,
): Pick<Run, 'looksAgain' | 'asksAddresses' | 'requests' | 'commits'> {
  const { commitAuthor, signsOff = false, namesAskers = false } = choice
  return {
    looksAgain: looksAgain && selfReview !== false,
    asksAddresses: externalLinks,
    requests: { drafts, reviewers, labels },
    commits: { author: commitAuthor === undefined ? author : personOf(commitAuthor), signsOff, namesAskers },
  }
}

/** Parses `name <email>`, which is validated when the project's settings are saved. */
function personOf(text: string): { name: string; email: string } {
  const at = text.lastIndexOf(' <')
  return { name: text.slice(0, at), email: text.slice(at + 2, -1) }
}

interface ModelContextInput {
  instructions: Instructions
  choice: AgentChoice
  job: JobRow
  code: readonly string[]
  hasPerson: boolean
}

/** Builds the system prompt and tool descriptions, and computes the size left for the conversation. */
function buildModelContext(
  contextTokens: number,
  { instructions, choice, job, code, hasPerson }: ModelContextInput,
): Pick<Run, 'system' | 'offered' | 'room'> {
  const { style = '', hosts = [] } = choice
  const offered = describeTools({ code: code.length > 0, hosts: hosts.length > 0, person: hasPerson })
  const at = job.turn_started_at ?? new Date()
  const system = systemPrompt({
    instructions: instructions.text,
    style,
    scope: job.scope,
    code,
    hosts,
    hasPerson,
    at,
  })
  return { system, offered, room: computeRoom(contextTokens, system, offered) }
}

export async function readProject(
  { database }: RunDeps,
  job: JobRow,
): Promise<{ project: RunProject; source: ProjectSourceRow; choice: AgentChoice }> {
  const row = await database.queries
    .selectFrom('projects')
    .select(PROJECT_SOURCE_COLUMNS)
    .select(['site_id', 'agent'])
    .where('id', '=', job.project_id)
    .executeTakeFirstOrThrow()
  const domain = await database.queries
    .selectFrom('served_domains')
    .select('domain')
    .where('project_id', '=', job.project_id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  const origin = domain === undefined ? null : `https://${domain.domain}`
  const { site_id: siteId, agent: choice, ...source } = row
  return { project: { id: job.project_id, siteId, origin }, source, choice }
}

export async function openJobForge(
  deps: RunDeps,
  source: ProjectSourceRow,
  repository: ProjectRepository,
  job: JobRow,
): Promise<Forge> {
  if (repository.isLocal) return openLocalForge(repository, () => reviewLink(deps, job))
  return await deps.openForge(source)
}
