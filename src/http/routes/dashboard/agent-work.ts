/** Agent jobs with who began them: listed, one of them whole, and the pages it has rendered. */
import { nameActors } from '../../../accounts/name-actors.ts'
import * as read from '../../../agent/read-work.ts'
import { type ReviewDeps, readPreviews } from '../../../agent/review.ts'
import type { AgentSetup } from '../../../agent/setup.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export interface AgentWorkDeps extends ReviewDeps {
  cursors: CursorCodec
  agent: AgentSetup
}

export async function listAgentWork(
  deps: AgentWorkDeps,
  { db, caller: { organizationId }, params, query }: DashboardCallOf<'listAgentWork'>,
): DashboardAnswerOf<'listAgentWork'> {
  const { jobs, ...page } = await read.listAgentWork(deps, db, { organizationId, ...params }, query)
  const nameOf = await nameActors(
    db,
    organizationId,
    jobs.map(({ startedBy }) => startedBy),
  )
  return {
    body: { jobs: jobs.map(({ work, startedBy }) => ({ ...work, startedBy: nameOf(startedBy) })), ...page },
  }
}

export async function getAgentWork(
  deps: AgentWorkDeps,
  { db, caller: { organizationId }, params: { projectId, id } }: DashboardCallOf<'getAgentWork'>,
): DashboardAnswerOf<'getAgentWork'> {
  const found = await read.getAgentWork(deps, db, { organizationId, projectId }, id)
  const { work, more, startedBy, prompts } = found
  const ids = [startedBy, ...prompts.map(({ askedBy }) => askedBy)]
  const nameOf = await nameActors(db, organizationId, ids)
  return {
    body: {
      ...work,
      ...more,
      startedBy: nameOf(startedBy),
      prompts: prompts.map(({ askedBy, ...prompt }) => ({ ...prompt, askedBy: nameOf(askedBy) })),
    },
  }
}

export async function getAgentPreviews(
  deps: AgentWorkDeps,
  { db, caller, params }: DashboardCallOf<'getAgentPreviews'>,
): DashboardAnswerOf<'getAgentPreviews'> {
  const pages = await readPreviews(deps, db, caller.organizationId, params.projectId, params.id)
  return { body: { pages } }
}
