/** Dashboard routes for questions to the assistant. */

import { resolveFeatures } from '../../base/api/features.ts'
import { AppError } from '../../base/errors/errors.ts'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Handlers } from '../../routing/handler.ts'
import { listJobsAbout } from '../agent/find-jobs.ts'
import { listAskedQuestions, readAskedFigures, readConversation } from '../analytics/asked-questions.ts'
import { DEFAULT_DAYS } from '../analytics/insights.ts'
import type { Assistant } from '../assistant/assistant.ts'
import type { ASKED_OPERATIONS } from '../assistant/operations/questions.ts'
import { findPublished } from '../hosting/serve/published-site.ts'
import { siteOrigin } from '../hosting/serve/site-origin.ts'
import { findProject } from '../projects/projects.ts'

interface QuestionHandlersDeps {
  cursors: CursorCodec
  publicUrl: () => string
  /** Null if no model is configured. */
  assistant: () => Assistant | null
}

const MAX_SHOWN_JOBS = 10

export function questionHandlers(deps: QuestionHandlersDeps): Handlers<typeof ASKED_OPERATIONS> {
  return {
    async getAssistantFigures({ db, caller: { organizationId }, params, query }) {
      const scope = { organizationId, ...params }
      const { days = DEFAULT_DAYS } = query
      const { hasPassages, ...figures } = await readAskedFigures(db, scope, days)
      const project = await findProject(db, scope.projectId, organizationId)
      if (project === null) throw new AppError('not_found')
      const { manifestKey } = await findPublished(db, scope)
      return {
        body: {
          ...figures,
          days,
          isConfigured: deps.assistant() !== null,
          hosted: hasPassages ? 'on' : manifestKey === null ? 'unpublished' : 'off',
          bundles: resolveFeatures('client-hosted', project.features).assistant,
        },
      }
    },
    listAskedQuestions: async ({ db, caller: { organizationId }, params, query }) => ({
      body: await listAskedQuestions(deps, db, { organizationId, ...params }, query),
    }),
    async getAskedQuestion({ db, caller: { organizationId }, params: { projectId, questionId } }) {
      const scope = { organizationId, projectId }
      const conversation = await readConversation(db, scope, questionId)
      const { domain, manifestKey } = await findPublished(db, scope)
      const siteUrl = domain === null || manifestKey === null ? null : siteOrigin(deps.publicUrl(), domain)
      const agentJobs = await listJobsAbout(db, scope, { questionId }, MAX_SHOWN_JOBS)
      return { body: { ...conversation, siteUrl, agentJobs } }
    },
  }
}
