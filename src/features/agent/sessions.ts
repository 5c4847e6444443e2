/** Agent jobs in the format of API version 1 of other platforms. */
import { AppError } from '../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../base/errors/fault.ts'
import type { JobErrorCode } from '../../base/errors/permanent-error.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { isOwnBranch } from '../../git/push/push-branch.ts'
import { branchName } from './check/publish-values.ts'
import type { AgentJob } from './operations/agent.ts'
import type {
  AgentSession,
  CreateAgentSessionBody,
  ListAgentSessionsQuery,
} from './operations/agent-sessions.ts'
import { type AgentCaller, type StartJobDeps, startAgentJob } from './start-job.ts'
import { type JobRow, jobRows } from './store.ts'

interface SessionOwner {
  organizationId: string
  projectId: string
}

export function sessionFaults(body: unknown): Fault[] {
  const { messages, branch, asDraft } = (body ?? {}) as Partial<Record<keyof CreateAgentSessionBody, unknown>>
  const faults: Fault[] = []
  if (Array.isArray(messages) && messages.length > 0 && !messages.some(isAsked))
    faults.push(faultAt('/messages', 'no_user_message'))
  if (typeof branch === 'string' && branch !== '' && !isOwnBranch(branch))
    faults.push(faultAt('/branch', 'foreign_branch'))
  if (asDraft === true) faults.push(faultAt('/asDraft', 'drafts_by_project'))
  return faults
}

function isAsked(message: unknown): boolean {
  const { role, content } = (message ?? {}) as Record<string, unknown>
  return role === 'user' && typeof content === 'string' && content !== ''
}

/** Throws AppError like `startAgentJob`, and `invalid_request` if the branch belongs to another job. */
export async function startAgentSession(
  deps: StartJobDeps,
  tx: Tx,
  caller: AgentCaller,
  projectId: string,
  { messages, branch }: CreateAgentSessionBody,
): Promise<{ job: AgentJob; branch: string }> {
  const job = await startAgentJob(deps, tx, caller, projectId, { prompt: promptOf(messages) })
  if (branch !== undefined) await refuseTakenBranch(tx, projectId, branch)
  const asked = messages.findLast(isAsked)?.content ?? ''
  const name = branch ?? branchName(asked.slice(0, 200), job.id)
  await tx.updateTable('agent_jobs').set({ branch: name }).where('id', '=', job.id).execute()
  return { job, branch: name }
}

async function refuseTakenBranch(tx: Tx, projectId: string, branch: string): Promise<void> {
  const taken = await tx
    .selectFrom('agent_jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('branch', '=', branch)
    .limit(1)
    .executeTakeFirst()
  if (taken === undefined) return
  throw new AppError('invalid_request', { details: [faultAt('/branch', 'branch_of_job', { id: taken.id })] })
}

const ROLE_LABELS = { system: 'Instructions', user: 'Asked', assistant: 'Example of an answer' } as const

function promptOf(messages: CreateAgentSessionBody['messages']): string {
  const [only] = messages
  if (messages.length === 1 && only !== undefined) return only.content
  return messages.map(({ role, content }) => `${ROLE_LABELS[role]}:\n${content}`).join('\n\n')
}

export async function getAgentSession(
  queries: Queries,
  owner: SessionOwner,
  id: string,
): Promise<AgentSession> {
  const row = await jobRows.get(queries, owner, id)
  return toSession(row, await hostOf(queries, owner))
}

/** Lists the newest first. Throws AppError `not_found`. */
export async function listAgentSessions(
  queries: Queries,
  owner: SessionOwner,
  { skip = 0, take = 12 }: ListAgentSessionsQuery,
): Promise<AgentSession[]> {
  const host = await hostOf(queries, owner)
  const rows = await queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('project_id', '=', owner.projectId)
    .where('organization_id', '=', owner.organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(take)
    .offset(skip)
    .execute()
  return rows.map((row) => toSession(row, host))
}

async function hostOf(queries: Queries, { organizationId, projectId }: SessionOwner): Promise<string | null> {
  const project = await queries
    .selectFrom('projects')
    .leftJoin('served_domains', 'served_domains.project_id', 'projects.id')
    .select('served_domains.domain')
    .where('projects.id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .orderBy('served_domains.position')
    .limit(1)
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  return project.domain
}

const STATES = { open: 'pending', at_work: 'in_progress', done: 'completed' } as const

function toSession(row: JobRow, host: string | null): AgentSession {
  const message = row.status === 'failed' ? row.error : row.summary
  const link = row.status === 'active' ? null : row.pull_request_link
  const title = row.request_title ?? row.title
  return {
    sessionId: row.id,
    ...(host !== null && { subdomain: host }),
    branch: row.branch,
    haulted: row.status !== 'active',
    haultReason: reasonOf(row),
    ...(link !== null && { pullRequestLink: link }),
    ...(message !== null && { messageToUser: message }),
    todos: row.plan.map(({ text, state }, index) => ({
      ...{ content: text, status: STATES[state], priority: 'medium' as const, id: String(index + 1) },
    })),
    ...(title !== null && { title }),
    createdAt: row.created_at.toISOString(),
  }
}

const FORGE_ERRORS: ReadonlySet<JobErrorCode> = new Set([
  'source_unreadable',
  'push_refused',
  'forge_refused',
] as const)

function reasonOf({ status, error_code: code }: JobRow): AgentSession['haultReason'] {
  if (status === 'active') return 'processing'
  if (code === null) return 'completed'
  if (code === 'cancelled' || code === 'archived') return 'interrupted'
  return FORGE_ERRORS.has(code) ? 'github_missconfigured' : 'error'
}
