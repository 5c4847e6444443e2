/** Saved views of the inbox. */
import type { Caller } from '../../../accounts/authenticate.ts'
import { mayDo } from '../../../contract/roles.ts'
import * as views from '../../../feedback/views.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'
import type { ShapeRule } from '../../operation-route.ts'

export async function listFeedbackViews({
  db,
  caller,
  params,
}: DashboardCallOf<'listFeedbackViews'>): DashboardAnswerOf<'listFeedbackViews'> {
  return { body: await views.listFeedbackViews(db, placeOf(caller, params.projectId)) }
}

export async function createFeedbackView(
  { publicUrl }: { publicUrl: () => string },
  { tx, caller, params, body }: DashboardCallOf<'createFeedbackView'>,
): DashboardAnswerOf<'createFeedbackView'> {
  const { projectId } = params
  const view = await views.createFeedbackView(tx, placeOf(caller, projectId), body)
  const Location = `${publicUrl()}/internal/projects/${projectId}/feedback/views/${view.id}`
  return { body: view, headers: { Location }, audit: { subject: view.id, details: { name: view.name } } }
}

export async function updateFeedbackView({
  tx,
  caller,
  params,
  body,
}: DashboardCallOf<'updateFeedbackView'>): DashboardAnswerOf<'updateFeedbackView'> {
  return { body: await views.updateFeedbackView(tx, placeOf(caller, params.projectId), params.viewId, body) }
}

export async function deleteFeedbackView({
  tx,
  caller,
  params,
}: DashboardCallOf<'deleteFeedbackView'>): DashboardAnswerOf<'deleteFeedbackView'> {
  return { body: await views.deleteFeedbackView(tx, placeOf(caller, params.projectId), params.viewId) }
}

function placeOf(caller: Caller, projectId: string): views.ViewPlace {
  const { organizationId, id: userId, role } = caller
  return { organizationId, projectId, userId, isAdmin: role !== null && mayDo(role, 'projects') }
}

export const VIEW_RULES = {
  createFeedbackView: ({ body }) => views.viewFaults(body),
  updateFeedbackView: ({ body }) => views.viewFaults(body),
} satisfies Record<string, ShapeRule>
