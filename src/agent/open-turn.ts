/** Everything that a turn works with, opened in order; the same again after a crash, from what was saved. */

import type { AgentChoice } from '../contract/agent.ts'
import { PermanentError } from '../contract/permanent-error.ts'
import type { Forge } from '../git/forge.ts'
import { openLocalForge } from '../git/local-forge.ts'
import { openProjectRepository, type ProjectRepository } from '../git/project-repository.ts'
import { PROJECT_SOURCE, type ProjectSourceRow } from '../git/project-source.ts'
import type { Held } from '../queue/held-rows.ts'
import type { JobContext } from '../queue/job-handler.ts'
import { readInstructions } from './instructions.ts'
import { reviewLink } from './review-token.ts'
import { patiently, type Run, type RunDeps, type RunProject } from './run.ts'
import { capsFor } from './setup.ts'
import { addEvents, type JobRow, jobEvent, updateHeld } from './store.ts'
import { systemPrompt } from './system-prompt.ts'
import type { Said } from './tool.ts'
import { openToolProcess } from './tool-process.ts'
import { loadTurn, type Prompt } from './turn-store.ts'
import { openWorkspace } from './workspace.ts'

const INSTRUCTION_BYTES = 32_768

export interface OpenTurn {
  run: Run
  [Symbol.asyncDispose](): Promise<void>
}

interface TurnStart {
  held: Held
  job: JobRow
  prompt: Prompt
  serverSignal: AbortSignal
}

/** Throws PermanentError, GitError, ForgeError or ModelError when one of the parts cannot be had. */
export async function openTurn(deps: RunDeps, start: TurnStart, context: JobContext): Promise<OpenTurn> {
  const { held, prompt } = start
  await using opening = new AsyncDisposableStack()
  const { project, source, choice } = await readProject(deps, start.job)
  const caps = capsFor(deps.agent, choice)
  const deadline = new Date((start.job.turn_started_at?.getTime() ?? Date.now()) + caps.minutes * 60_000)
  const workSignal = AbortSignal.any([
    context.signal,
    opening.use(deadlineSignal(deadline, caps.minutes)).signal,
  ])

  const model = deps.openModel(start.job.model)
  const repository = openProjectRepository(deps.git, source)
  const outside = { deps, held, log: context.log }
  const job = await patiently(
    outside,
    'the repository',
    () => fixBase(deps, start, repository, workSignal),
    workSignal,
  )
  const baseCommit = job.base_commit ?? ''
  const base = opening.use(
    await patiently(outside, 'the repository', () => repository.openDocs(baseCommit, workSignal), workSignal),
  )
  const saved = await loadTurn(deps.database.queries, held.id)
  const workspace = openWorkspace(base, saved.changes)
  const said: Said = { plan: job.plan, finish: null }
  const { siteId, origin } = project
  const tools = opening.use(
    openToolProcess({ ...deps, log: context.log }, { workspace, siteId, origin, caps, said }, workSignal),
  )
  const instructions = await readInstructions(
    (path) => repository.readFile(job.origin_commit ?? baseCommit, path, INSTRUCTION_BYTES, workSignal),
    repository.docsFolder,
  )
  const run: Run = {
    deps,
    held,
    job,
    project,
    prompt,
    repository,
    forge: await forgeOf(deps, source, repository, job),
    model,
    caps,
    system: systemPrompt(instructions),
    messages: saved.messages,
    workspace,
    tools,
    said,
    deadline,
    workSignal,
    signal: context.signal,
    serverSignal: start.serverSignal,
    log: context.log,
  }
  const open = opening.move()
  return { run, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

export async function readProject(
  { database }: RunDeps,
  job: JobRow,
): Promise<{ project: RunProject; source: ProjectSourceRow; choice: AgentChoice }> {
  const row = await database.queries
    .selectFrom('projects')
    .select(PROJECT_SOURCE)
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

/**
 * The commit that the turn's changes lie on: the tip of the job's branch where that is there, else the target's. Fixed
 * once. The branch is looked for, not remembered: a turn may have been stopped between its push and the record of it.
 */
async function fixBase(
  { database }: RunDeps,
  { held, job }: TurnStart,
  repository: ProjectRepository,
  signal: AbortSignal,
): Promise<JobRow> {
  if (job.base_commit !== null) return job
  const target = await repository.fetchTarget(signal)
  const tip = job.branch === null ? null : await branchTip(job.branch, job, repository, signal)
  return await database.transaction(async (tx) => {
    const row = await updateHeld(tx, held, {
      ref: target.branch,
      base_commit: tip ?? target.commit,
      pushed_commit: tip,
      origin_commit: (tip === null ? null : job.origin_commit) ?? target.commit,
    })
    await addEvents(tx, held.id, [jobEvent(row)])
    return row
  })
}

/** Whoever reviews may have pushed to it as well: what they did is kept. Null when it was never pushed. */
async function branchTip(
  branch: string,
  job: JobRow,
  repository: ProjectRepository,
  signal: AbortSignal,
): Promise<string | null> {
  const tip = await repository.fetchBranch(branch, signal)
  if (tip === null && job.pull_request_link !== null)
    throw new PermanentError(
      'branch_gone',
      `The branch ${branch} of this job was deleted in the meantime. Make a new job.`,
    )
  return tip
}

export async function forgeOf(
  deps: RunDeps,
  source: ProjectSourceRow,
  repository: ProjectRepository,
  job: JobRow,
): Promise<Forge> {
  if (repository.isLocal) return openLocalForge(repository, () => reviewLink(deps, job.id))
  return await deps.openForge(source)
}

function deadlineSignal(deadline: Date, minutes: number): { signal: AbortSignal } & Disposable {
  const abort = new AbortController()
  const end = () =>
    abort.abort(
      new PermanentError(
        'limit_reached',
        `The job reached its limit of ${minutes} minutes before it was done.`,
      ),
    )
  // A clock that was set back since the turn began makes it no longer than its limit.
  const left = Math.min(deadline.getTime() - Date.now(), minutes * 60_000)
  const timer = setTimeout(end, Math.max(0, left))
  return { signal: abort.signal, [Symbol.dispose]: () => clearTimeout(timer) }
}
