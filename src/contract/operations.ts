/**
 * Every operation of the API, by operation id: address, who may call it, its limit, and the shapes both ways. Routes,
 * validation, the OpenAPI descriptions and the tests all read this table.
 */
import { AGENT_OPERATIONS } from './agent.ts'
import { ANALYTICS_OPERATIONS } from './analytics.ts'
import { ARCHIVE_OPERATIONS } from './archive.ts'
import { ASSISTANT_OPERATIONS } from './assistant-operations.ts'
import { AUTOMATION_OPERATIONS } from './automations.ts'
import { CODE_REPOSITORY_OPERATIONS } from './code-repositories.ts'
import { DELETION_OPERATIONS } from './deletion.ts'
import { DEPLOYMENT_OPERATIONS } from './deployments.ts'
import { FEEDBACK_OPERATIONS } from './feedback.ts'
import type { Operation } from './operation.ts'
import { PREVIEW_OPERATIONS } from './preview-deployments.ts'
import { STATIC_EXPORT_OPERATIONS } from './static-export.ts'
import { TRANSFER_OPERATIONS } from './transfer.ts'
import { WEBHOOK_OPERATIONS } from './webhooks.ts'

export const OPERATIONS = {
  ...STATIC_EXPORT_OPERATIONS,
  ...DEPLOYMENT_OPERATIONS,
  ...PREVIEW_OPERATIONS,
  ...FEEDBACK_OPERATIONS,
  ...ANALYTICS_OPERATIONS,
  ...ASSISTANT_OPERATIONS,
  ...AGENT_OPERATIONS,
  ...AUTOMATION_OPERATIONS,
  ...CODE_REPOSITORY_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...DELETION_OPERATIONS,
  ...ARCHIVE_OPERATIONS,
  ...TRANSFER_OPERATIONS,
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof OPERATIONS
