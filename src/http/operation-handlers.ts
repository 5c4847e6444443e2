/** All handlers, by operation id: the compiler demands one for each row of the tables. */
import type { Log } from '../base/log.ts'
import type { DASHBOARD_OPERATIONS } from '../contract/dashboard-operations.ts'
import type { OPERATIONS } from '../contract/operations.ts'
import type { Database } from '../database/database.ts'
import { createProjectWatch } from '../database/project-changes.ts'
import { createOverviews } from '../feedback/overview.ts'
import { createPageLibrary } from '../hosting/page-library.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { Handlers } from './handler.ts'
import { type AgentDeps, agentHandlers } from './routes/agent.ts'
import { type AnalyticsDeps, analyticsHandlers } from './routes/analytics.ts'
import { archiveHandlers } from './routes/archive.ts'
import { type AskedDeps, askedHandlers } from './routes/asked.ts'
import { assistantHandlers } from './routes/assistant-analytics.ts'
import { type AutomationDeps, automationHandlers } from './routes/automations.ts'
import { type CodeRepositoryDeps, codeRepositoryHandlers } from './routes/code-repositories.ts'
import { type DeletionDeps, deletionHandlers } from './routes/deletion.ts'
import { type DeploymentDeps, deploymentHandlers } from './routes/deployments.ts'
import { type FeedbackDeps, feedbackHandlers } from './routes/feedback.ts'
import { feedbackWorkHandlers } from './routes/feedback-work.ts'
import { type GitCredentialRouteDeps, gitCredentialHandlers } from './routes/git-credentials.ts'
import { type InboxDeps, inboxHandlers } from './routes/inbox.ts'
import { type InstanceDeps, instanceHandlers } from './routes/instance.ts'
import { type InstanceMailDeps, instanceMailHandlers } from './routes/instance-mail.ts'
import { type InstancePreviewDeps, instancePreviewHandlers } from './routes/instance-previews.ts'
import { type InstanceRetentionDeps, instanceRetentionHandlers } from './routes/instance-retention.ts'
import { type InstanceSignInDeps, instanceSignInHandlers } from './routes/instance-sign-in.ts'
import { type NotificationDeps, notificationHandlers } from './routes/notifications.ts'
import { type OrganizationDeps, organizationHandlers } from './routes/organization.ts'
import { organizationSecurityHandlers } from './routes/organization-security.ts'
import { type PeopleDeps, peopleHandlers } from './routes/people.ts'
import { type PreviewDeps, previewHandlers } from './routes/previews.ts'
import { type ProjectDeps, projectHandlers } from './routes/projects.ts'
import { type PublishingDeps, publishingHandlers } from './routes/publishing.ts'
import { type SiteAccessDeps, siteAccessHandlers } from './routes/site-access.ts'
import { type StaticExportDeps, staticExportHandlers } from './routes/static-export.ts'
import { transferHandlers } from './routes/transfers.ts'
import { type WebhookDeps, webhookHandlers } from './routes/webhooks.ts'
import { type WorkDeps, workHandlers } from './routes/work.ts'

/** What the handlers of the public API need, all together; each area is typed to what it uses. */
export type HandlerDeps = StaticExportDeps &
  DeploymentDeps &
  PreviewDeps &
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

/** Made here, of what the others bring. */
type Made = 'overviews' | 'library' | 'watch'

export type DashboardHandlerDeps = PeopleDeps &
  WorkDeps &
  AskedDeps &
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
  Omit<ProjectDeps & InboxDeps, Made> & { database: Database; objects: ObjectStore; log: Log }

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
    ...askedHandlers(deps),
    ...notificationHandlers(deps),
  }
}
