/**
 * All operations of the API by operation id, with path, permissions, rate limit, and request and response
 * schemas. Routes, validation, the OpenAPI descriptions and the tests are derived from this table.
 */

import type { AuditRule, Operation } from '../base/api/operation.ts'
import { AGENT_OPERATIONS } from './agent/operations/agent.ts'
import { COMMIT_KEY_OPERATIONS } from './agent/operations/commit-key.ts'
import { ANALYTICS_OPERATIONS } from './analytics/operations/analytics.ts'
import { ASSISTANT_OPERATIONS } from './assistant/operations/assistant-analytics.ts'
import type { AuditAction } from './audit-actions.ts'
import { AUTOMATION_OPERATIONS } from './automations/operations/automations.ts'
import { STATIC_EXPORT_OPERATIONS } from './export/operations/static-export.ts'
import { FEEDBACK_OPERATIONS } from './feedback/operations/feedback.ts'
import { DEPLOYMENT_OPERATIONS } from './hosting/operations/deployments.ts'
import { PREVIEW_OPERATIONS } from './hosting/operations/previews.ts'
import type { OperationLimitName } from './limits.ts'
import { ARCHIVE_OPERATIONS } from './projects/operations/archive.ts'
import { CODE_REPOSITORY_OPERATIONS } from './projects/operations/code-repositories.ts'
import { DELETION_OPERATIONS } from './projects/operations/deletion.ts'
import { TRANSFER_OPERATIONS } from './projects/operations/transfer.ts'
import { DISCOVERY_OPERATIONS } from './reader/operations/discovery.ts'
import { STATEMENT_OPERATIONS } from './statements/operations/statements.ts'
import { WEBHOOK_OPERATIONS } from './webhooks/operations/webhooks.ts'

/** An operation whose limits and audit action exist in the lists of all features. */
export interface ListedOperation {
  limit: (NonNullable<Operation['limit']> & { name: OperationLimitName }) | null
  secondLimit?: OperationLimitName
  audit?: AuditRule<AuditAction>
}

export const OPERATIONS = {
  ...STATIC_EXPORT_OPERATIONS,
  ...DEPLOYMENT_OPERATIONS,
  ...PREVIEW_OPERATIONS,
  ...DISCOVERY_OPERATIONS,
  ...FEEDBACK_OPERATIONS,
  ...ANALYTICS_OPERATIONS,
  ...ASSISTANT_OPERATIONS,
  ...AGENT_OPERATIONS,
  ...AUTOMATION_OPERATIONS,
  ...CODE_REPOSITORY_OPERATIONS,
  ...STATEMENT_OPERATIONS,
  ...COMMIT_KEY_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...DELETION_OPERATIONS,
  ...ARCHIVE_OPERATIONS,
  ...TRANSFER_OPERATIONS,
} as const satisfies Record<string, Operation & ListedOperation>

export type OperationId = keyof typeof OPERATIONS
