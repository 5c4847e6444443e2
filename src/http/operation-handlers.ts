/** All handlers by operation id. Fails to compile if one is missing. */
import type { Log } from '../base/log.ts'
import type { Database } from '../database/database.ts'
import { instanceHandlers } from '../features/accounts/routes/instance.ts'
import { operatorHandlers } from '../features/accounts/routes/operator.ts'
import { organizationHandlers } from '../features/accounts/routes/organization.ts'
import { organizationSecurityHandlers } from '../features/accounts/routes/organization-security.ts'
import { peopleHandlers } from '../features/accounts/routes/people.ts'
import { instanceSignInHandlers } from '../features/accounts/routes/sign-in-settings.ts'
import { agentHandlers } from '../features/agent/routes.ts'
import { analyticsHandlers } from '../features/analytics/routes.ts'
import { assistantHandlers } from '../features/assistant/routes.ts'
import { automationHandlers } from '../features/automations/routes.ts'
import { questionHandlers } from '../features/dashboard/questions-routes.ts'
import { workHandlers } from '../features/dashboard/work-routes.ts'
import type { DASHBOARD_OPERATIONS } from '../features/dashboard-operations.ts'
import { staticExportHandlers } from '../features/export/routes.ts'
import { createOverviews } from '../features/feedback/overview.ts'
import { feedbackHandlers } from '../features/feedback/routes/feedback.ts'
import { feedbackWorkHandlers } from '../features/feedback/routes/feedback-work.ts'
import { inboxHandlers } from '../features/feedback/routes/inbox.ts'
import { operatorFeedbackHandlers } from '../features/feedback/routes/operator.ts'
import { deploymentHandlers } from '../features/hosting/routes/deployments.ts'
import { instancePreviewHandlers } from '../features/hosting/routes/preview-settings.ts'
import { previewHandlers } from '../features/hosting/routes/previews.ts'
import { publishingHandlers } from '../features/hosting/routes/publishing.ts'
import { siteAccessHandlers } from '../features/hosting/routes/site-access.ts'
import { createPageLibrary } from '../features/hosting/serve/page-library.ts'
import { instanceMailHandlers } from '../features/notifications/routes/mail-settings.ts'
import { notificationHandlers } from '../features/notifications/routes/notifications.ts'
import type { OPERATIONS } from '../features/operations.ts'
import { createProjectWatch } from '../features/projects/project-changes.ts'
import { archiveHandlers } from '../features/projects/routes/archive.ts'
import { codeRepositoryHandlers } from '../features/projects/routes/code-repositories.ts'
import { deletionHandlers } from '../features/projects/routes/deletion.ts'
import { gitCredentialHandlers } from '../features/projects/routes/git-credentials.ts'
import { operatorProjectHandlers } from '../features/projects/routes/operator.ts'
import { projectHandlers } from '../features/projects/routes/projects.ts'
import { transferHandlers } from '../features/projects/routes/transfers.ts'
import { demoFeedbackHandlers } from '../features/reader/demo-feedback-routes.ts'
import { discoveryHandlers } from '../features/reader/discovery-routes.ts'
import { statementHandlers, statementSummaryHandlers } from '../features/statements/routes.ts'
import { instanceRetentionHandlers, operatorStorageHandlers } from '../features/storage/routes.ts'
import { webhookHandlers } from '../features/webhooks/routes.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { Handlers } from '../routing/handler.ts'

const PUBLIC_HANDLERS = [
  staticExportHandlers,
  deploymentHandlers,
  previewHandlers,
  discoveryHandlers,
  feedbackHandlers,
  analyticsHandlers,
  assistantHandlers,
  agentHandlers,
  automationHandlers,
  codeRepositoryHandlers,
  statementHandlers,
  webhookHandlers,
  deletionHandlers,
  archiveHandlers,
  transferHandlers,
] as const

const DASHBOARD_HANDLERS = [
  peopleHandlers,
  workHandlers,
  organizationHandlers,
  organizationSecurityHandlers,
  gitCredentialHandlers,
  instanceHandlers,
  instanceSignInHandlers,
  instanceMailHandlers,
  instancePreviewHandlers,
  instanceRetentionHandlers,
  projectHandlers,
  publishingHandlers,
  siteAccessHandlers,
  inboxHandlers,
  feedbackWorkHandlers,
  questionHandlers,
  notificationHandlers,
  operatorHandlers,
  operatorProjectHandlers,
  operatorFeedbackHandlers,
  operatorStorageHandlers,
  demoFeedbackHandlers,
  statementSummaryHandlers,
] as const

type HandlerList = readonly ((deps: never) => object)[]
type DepsOf<List extends HandlerList> = List[number] extends (deps: infer All) => unknown ? All : never
type IntersectionOf<Each> = (Each extends unknown ? (each: Each) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

function combine<List extends HandlerList>(list: List, deps: DepsOf<List>) {
  return Object.assign({}, ...list.map((create) => create(deps as never))) as IntersectionOf<
    ReturnType<List[number]>
  >
}

export type HandlerDeps = DepsOf<typeof PUBLIC_HANDLERS>

export function createHandlers(deps: HandlerDeps): Handlers<typeof OPERATIONS> {
  return combine(PUBLIC_HANDLERS, deps)
}

export type DashboardHandlerDeps = Omit<
  DepsOf<typeof DASHBOARD_HANDLERS>,
  // derived from the other dependencies
  'overviews' | 'library' | 'watch'
> & { database: Database; objects: ObjectStore; log: Log }

export function createDashboardHandlers(given: DashboardHandlerDeps): Handlers<typeof DASHBOARD_OPERATIONS> {
  const { queries } = given.database
  return combine(DASHBOARD_HANDLERS, {
    ...given,
    overviews: createOverviews(queries),
    library: createPageLibrary(given),
    watch: createProjectWatch({ queries, log: given.log }),
  })
}
