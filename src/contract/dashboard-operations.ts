/**
 * Every operation of the internal API, which the dashboard uses beside the public one: the same kind of table, with what
 * a member must be allowed to. It takes sessions, no keys, and may change with any version.
 */
import { ASKED_OPERATIONS } from './dashboard-assistant.ts'
import { INBOX_OPERATIONS } from './dashboard-feedback.ts'
import { INSIGHT_OPERATIONS } from './dashboard-insights.ts'
import { ORGANIZATION_OPERATIONS } from './dashboard-organization.ts'
import { OVERVIEW_OPERATIONS } from './dashboard-overview.ts'
import { PEOPLE_OPERATIONS } from './dashboard-people.ts'
import { PROJECT_OPERATIONS } from './dashboard-projects.ts'
import { WORK_OPERATIONS } from './dashboard-work.ts'
import { DOMAIN_OPERATIONS } from './domains.ts'
import { FEEDBACK_WORK_OPERATIONS } from './feedback-work.ts'
import { GIT_CREDENTIAL_OPERATIONS } from './git-credentials.ts'
import { INSTANCE_OPERATIONS } from './instance.ts'
import { INSTANCE_PREVIEW_OPERATIONS } from './instance-previews.ts'
import { INSTANCE_RETENTION_OPERATIONS } from './instance-retention.ts'
import { INSTANCE_SIGN_IN_OPERATIONS } from './instance-sign-in.ts'
import { MAIL_OPERATIONS } from './mail.ts'
import { NOTIFICATION_OPERATIONS } from './notifications.ts'
import type { DashboardOperation } from './operation.ts'
import { ORGANIZATION_SECURITY_OPERATIONS } from './organization-security.ts'
import { PUBLISHING_OPERATIONS } from './publishing.ts'
import { SITE_ACCESS_OPERATIONS } from './site-access.ts'

export const DASHBOARD_OPERATIONS = {
  ...PEOPLE_OPERATIONS,
  ...WORK_OPERATIONS,
  ...GIT_CREDENTIAL_OPERATIONS,
  ...DOMAIN_OPERATIONS,
  ...PROJECT_OPERATIONS,
  ...PUBLISHING_OPERATIONS,
  ...SITE_ACCESS_OPERATIONS,
  ...OVERVIEW_OPERATIONS,
  ...INSIGHT_OPERATIONS,
  ...ASKED_OPERATIONS,
  ...INBOX_OPERATIONS,
  ...FEEDBACK_WORK_OPERATIONS,
  ...ORGANIZATION_OPERATIONS,
  ...ORGANIZATION_SECURITY_OPERATIONS,
  ...INSTANCE_OPERATIONS,
  ...INSTANCE_SIGN_IN_OPERATIONS,
  ...MAIL_OPERATIONS,
  ...INSTANCE_PREVIEW_OPERATIONS,
  ...INSTANCE_RETENTION_OPERATIONS,
  ...NOTIFICATION_OPERATIONS,
} as const satisfies Record<string, DashboardOperation>

export type DashboardOperationId = keyof typeof DASHBOARD_OPERATIONS
