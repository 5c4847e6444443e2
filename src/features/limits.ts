/** All rate limits, in the order of the settings. */

import { type Limit, type LimitRow, SHARED_LIMITS } from '../base/api/limits.ts'
import { ACCOUNT_LIMITS } from './accounts/operations/limits.ts'
import { AGENT_LIMITS } from './agent/operations/limits.ts'
import { ANALYTICS_LIMITS } from './analytics/operations/limits.ts'
import { ASSISTANT_LIMITS } from './assistant/operations/limits.ts'
import { AUTOMATION_LIMITS } from './automations/operations/limits.ts'
import { EXPORT_LIMITS } from './export/operations/limits.ts'
import { FEEDBACK_LIMITS } from './feedback/operations/limits.ts'
import { HOSTING_LIMITS } from './hosting/operations/limits.ts'
import { READER_LIMITS } from './reader/operations/limits.ts'

export const LIMITS = {
  ...SHARED_LIMITS,
  ...ACCOUNT_LIMITS,
  ...AGENT_LIMITS,
  ...ANALYTICS_LIMITS,
  ...ASSISTANT_LIMITS,
  ...AUTOMATION_LIMITS,
  ...EXPORT_LIMITS,
  ...FEEDBACK_LIMITS,
  ...HOSTING_LIMITS,
  ...READER_LIMITS,
} as const satisfies Record<string, LimitRow>

export type LimitName = keyof typeof LIMITS
export type OperationLimitName = {
  [Name in LimitName]: (typeof LIMITS)[Name] extends Required<Pick<LimitRow, 'sharedBy'>> ? Name : never
}[LimitName]
export type Limits = Readonly<Record<LimitName, Limit>>

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[]
