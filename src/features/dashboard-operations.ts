/**
 * All operations of the internal API. The dashboard uses them in addition to the public API; the command line on the
 * server's machine also uses them. Each names the permission that a member needs. The internal API accepts sessions and
 * signatures of the operator, but no keys, and may change with any version.
 */

import type { DashboardOperation } from '../base/api/operation.ts'
import { INSTANCE_OPERATIONS } from './accounts/operations/instance.ts'
import { OPERATOR_OPERATIONS } from './accounts/operations/operator.ts'
import { ORGANIZATION_OPERATIONS } from './accounts/operations/organization.ts'
import { ORGANIZATION_SECURITY_OPERATIONS } from './accounts/operations/organization-security.ts'
import { PEOPLE_OPERATIONS } from './accounts/operations/people.ts'
import { INSTANCE_SIGN_IN_OPERATIONS } from './accounts/operations/sign-in-settings.ts'
import { INSIGHT_OPERATIONS } from './analytics/operations/insights.ts'
import { ASKED_OPERATIONS } from './assistant/operations/questions.ts'
import { OVERVIEW_OPERATIONS } from './dashboard/operations/overview.ts'
import { WORK_OPERATIONS } from './dashboard/operations/work.ts'
import { FEEDBACK_WORK_OPERATIONS } from './feedback/operations/feedback-work.ts'
import { INBOX_OPERATIONS } from './feedback/operations/inbox.ts'
import { OPERATOR_FEEDBACK_OPERATIONS } from './feedback/operations/operator.ts'
import { INSTANCE_PREVIEW_OPERATIONS } from './hosting/operations/preview-settings.ts'
import { PUBLISHING_OPERATIONS } from './hosting/operations/publishing.ts'
import { SITE_ACCESS_OPERATIONS } from './hosting/operations/site-access.ts'
import { MAIL_OPERATIONS } from './notifications/operations/mail.ts'
import { NOTIFICATION_OPERATIONS } from './notifications/operations/notifications.ts'
import type { ListedOperation } from './operations.ts'
import { DOMAIN_OPERATIONS } from './projects/operations/domains.ts'
import { GIT_CREDENTIAL_OPERATIONS } from './projects/operations/git-credentials.ts'
import { OPERATOR_PROJECT_OPERATIONS } from './projects/operations/operator.ts'
import { PROJECT_OPERATIONS } from './projects/operations/projects.ts'
import { DEMO_FEEDBACK_OPERATIONS } from './reader/operations/demo-feedback.ts'
import { STATEMENT_SUMMARY_OPERATIONS } from './statements/operations/statements.ts'
import { OPERATOR_STORAGE_OPERATIONS } from './storage/operations/operator.ts'
import { INSTANCE_RETENTION_OPERATIONS } from './storage/operations/retention-settings.ts'

export const DASHBOARD_OPERATIONS = {
  ...PEOPLE_OPERATIONS,
  ...WORK_OPERATIONS,
  ...GIT_CREDENTIAL_OPERATIONS,
  ...DOMAIN_OPERATIONS,
  ...PROJECT_OPERATIONS,
  ...PUBLISHING_OPERATIONS,
  ...SITE_ACCESS_OPERATIONS,
  ...OVERVIEW_OPERATIONS,
  ...STATEMENT_SUMMARY_OPERATIONS,
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
  ...OPERATOR_OPERATIONS,
  ...OPERATOR_PROJECT_OPERATIONS,
  ...OPERATOR_FEEDBACK_OPERATIONS,
  ...OPERATOR_STORAGE_OPERATIONS,
  ...DEMO_FEEDBACK_OPERATIONS,
} as const satisfies Record<string, DashboardOperation & ListedOperation>

export type DashboardOperationId = keyof typeof DASHBOARD_OPERATIONS
