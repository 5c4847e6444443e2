/** GET /internal/projects/{projectId}/events: what changes in a project, for as long as somebody looks at it. */
import type { ProjectWatch } from '../../../database/project-changes.ts'
import { checkProject } from '../../../feedback/query.ts'
import type { ServerEvent } from '../../event-stream.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export async function streamProjectEvents(
  { watch }: { watch: ProjectWatch },
  { db, caller: { organizationId }, params, signal, lastEventId }: DashboardCallOf<'streamProjectEvents'>,
): DashboardAnswerOf<'streamProjectEvents'> {
  await checkProject(db, { organizationId, ...params })
  return eventsOf(watch, params.projectId, { signal, isBack: lastEventId !== undefined })
}

/**
 * Nothing is kept for who was away, or has read just before a change: they are told to look at everything anew.
 */
async function* eventsOf(
  watch: ProjectWatch,
  projectId: string,
  { signal, isBack }: { signal: AbortSignal; isBack: boolean },
): AsyncGenerator<ServerEvent> {
  const { changes, hasJustChanged } = await watch.follow(projectId, signal)
  yield { event: 'ready', data: { mayHaveMissed: isBack || hasJustChanged } }
  for await (const data of changes) yield { event: 'change', data }
}
