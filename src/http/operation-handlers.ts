/** All handlers by operation id. The compiler requires one for each operation in the tables. */
import type { Log } from '../base/log.ts'
import type { Database } from '../database/database.ts'
import { type InstanceDeps, instanceHandlers } from '../features/accounts/routes/instance.ts'
import { type OrganizationDeps, organizationHandlers } from '../features/accounts/routes/organization.ts'
import { organizationSecurityHandlers } from '../features/accounts/routes/organization-security.ts'
import { type PeopleDeps, peopleHandlers } from '../features/accounts/routes/people.ts'
import {
  type InstanceSignInDeps,
  instanceSignInHandlers,
} from '../features/accounts/routes/sign-in-settings.ts'
import { type AgentDeps, agentHandlers } from '../features/agent/routes.ts'
import { type AnalyticsDeps, analyticsHandlers } from '../features/analytics/routes.ts'
import { assistantHandlers } from '../features/assistant/routes.ts'
import { type AutomationDeps, automationHandlers } from '../features/automations/routes.ts'
import { type QuestionHandlersDeps, questionHandlers } from '../features/dashboard/questions-routes.ts'
import { type WorkDeps, workHandlers } from '../features/dashboard/work-routes.ts'
import type { DASHBOARD_OPERATIONS } from '../features/dashboard-operations.ts'
import { type StaticExportDeps, staticExportHandlers } from '../features/export/routes.ts'
import { createOverviews } from '../features/feedback/overview.ts'
import { type FeedbackDeps, feedbackHandlers } from '../features/feedback/routes/feedback.ts'
import { feedbackWorkHandlers } from '../features/feedback/routes/feedback-work.ts'
import { type InboxDeps, inboxHandlers } from '../features/feedback/routes/inbox.ts'
import { type DeploymentDeps, deploymentHandlers } from '../features/hosting/routes/deployments.ts'
import {
  type InstancePreviewDeps,
  instancePreviewHandlers,
} from '../features/hosting/routes/preview-settings.ts'
import { type PreviewDeps, previewHandlers } from '../features/hosting/routes/previews.ts'
import { type PublishingDeps, publishingHandlers } from '../features/hosting/routes/publishing.ts'
import { type SiteAccessDeps, siteAccessHandlers } from '../features/hosting/routes/site-access.ts'
import { createPageLibrary } from '../features/hosting/serve/page-library.ts'
import {
  type InstanceMailDeps,
  instanceMailHandlers,
} from '../features/notifications/routes/mail-settings.ts'
import {
  type NotificationDeps,
  notificationHandlers,
} from '../features/notifications/routes/notifications.ts'
import type { OPERATIONS } from '../features/operations.ts'
import { createProjectWatch } from '../features/projects/project-changes.ts'
import { archiveHandlers } from '../features/projects/routes/archive.ts'
import {
  type CodeRepositoryDeps,
  codeRepositoryHandlers,
} from '../features/projects/routes/code-repositories.ts'
import { type DeletionDeps, deletionHandlers } from '../features/projects/routes/deletion.ts'
import {
  type GitCredentialRouteDeps,
  gitCredentialHandlers,
} from '../features/projects/routes/git-credentials.ts'
import { type ProjectDeps, projectHandlers } from '../features/projects/routes/projects.ts'
import { transferHandlers } from '../features/projects/routes/transfers.ts'
import { type DiscoveryDeps, discoveryHandlers } from '../features/reader/discovery-routes.ts'
import { type InstanceRetentionDeps, instanceRetentionHandlers } from '../features/storage/routes.ts'
import { type WebhookDeps, webhookHandlers } from '../features/webhooks/routes.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { Handlers } from '../routing/handler.ts'

/** Combined dependencies of the public API's handlers. Each area only declares what it uses. */
export type HandlerDeps = StaticExportDeps &
  DeploymentDeps &
  PreviewDeps &
  DiscoveryDeps &
  FeedbackDeps &
  AnalyticsDeps &
  AgentDeps &
  AutomationDeps &
  CodeRepositoryDeps &
  WebhookDeps &
  DeletionDeps

export function createHandlers(deps: HandlerDeps): Handlers<typeof OPERATIONS> {
  return {
    ...staticExportHandlers(deps),
    ...deploymentHandlers(deps),
    ...previewHandlers(deps),
    ...discoveryHandlers(deps),
    ...feedbackHandlers(deps),
    ...analyticsHandlers(deps),
    ...assistantHandlers(deps),
    ...agentHandlers(deps),
    ...automationHandlers(deps),
    ...codeRepositoryHandlers(deps),
    ...webhookHandlers(deps),
    ...deletionHandlers(deps),
    ...archiveHandlers(),
    ...transferHandlers(deps),
  }
}

/** Created here from the other dependencies. */
type CreatedHere = 'overviews' | 'library' | 'watch'

export type DashboardHandlerDeps = PeopleDeps &
  WorkDeps &
  QuestionHandlersDeps &
  PublishingDeps &
  SiteAccessDeps &
  OrganizationDeps &
  InstanceDeps &
  InstanceSignInDeps &
  InstanceMailDeps &
  InstancePreviewDeps &
  InstanceRetentionDeps &
  NotificationDeps &
  GitCredentialRouteDeps &
  Omit<ProjectDeps & InboxDeps, CreatedHere> & { database: Database; objects: ObjectStore; log: Log }

export function createDashboardHandlers(given: DashboardHandlerDeps): Handlers<typeof DASHBOARD_OPERATIONS> {
  const { queries } = given.database
  const deps = {
    ...given,
    overviews: createOverviews(queries),
    library: createPageLibrary(given),
    watch: createProjectWatch({ queries, log: given.log }),
  }
  return {
    ...peopleHandlers(deps),
    ...workHandlers(deps),
    ...organizationHandlers(deps),
    ...organizationSecurityHandlers(),
    ...gitCredentialHandlers(deps),
    ...instanceHandlers(deps),
    ...instanceSignInHandlers(deps),
    ...instanceMailHandlers(deps),
    ...instancePreviewHandlers(deps),
    ...instanceRetentionHandlers(deps),
    ...projectHandlers(deps),
    ...publishingHandlers(deps),
    ...siteAccessHandlers(deps),
    ...inboxHandlers(deps),
    ...feedbackWorkHandlers(deps),
    ...questionHandlers(deps),
    ...notificationHandlers(deps),
  }
}
