/**
 * All audit log actions, in the wording of the log: "Ada Lovelace *created API key Nightly*". `{}` is
 * replaced with the name of the changed item.
 */

import { ACCOUNT_ACTIONS } from './accounts/operations/audit-actions.ts'
import { AGENT_ACTIONS } from './agent/operations/audit-actions.ts'
import { AUTOMATION_ACTIONS } from './automations/operations/audit-actions.ts'
import { EXPORT_ACTIONS } from './export/operations/audit-actions.ts'
import { FEEDBACK_ACTIONS } from './feedback/operations/audit-actions.ts'
import { HOSTING_ACTIONS } from './hosting/operations/audit-actions.ts'
import { NOTIFICATION_ACTIONS } from './notifications/operations/audit-actions.ts'
import { PROJECT_ACTIONS } from './projects/operations/audit-actions.ts'
import { STATEMENT_ACTIONS } from './statements/operations/audit-actions.ts'
import { STORAGE_ACTIONS } from './storage/operations/audit-actions.ts'
import { WEBHOOK_ACTIONS } from './webhooks/operations/audit-actions.ts'

export const AUDIT_ACTIONS = {
  ...ACCOUNT_ACTIONS,
  ...AGENT_ACTIONS,
  ...AUTOMATION_ACTIONS,
  ...EXPORT_ACTIONS,
  ...FEEDBACK_ACTIONS,
  ...HOSTING_ACTIONS,
  ...NOTIFICATION_ACTIONS,
  ...PROJECT_ACTIONS,
  ...STATEMENT_ACTIONS,
  ...STORAGE_ACTIONS,
  ...WEBHOOK_ACTIONS,
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof AUDIT_ACTIONS

/** Returns a full sentence such as `{person} created API key {thing}`. */
export function auditMessage(action: AuditAction): string {
  return `{person} ${AUDIT_ACTIONS[action].replace('{}', '{thing}')}`
}
