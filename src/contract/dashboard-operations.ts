/**
 * Every operation of the internal API, which the dashboard uses beside the public one: the same kind of table, with what
 * a member must be allowed to. It takes sessions, no keys, and may change with any version.
 */
import type { Operation } from './operations.ts'
import { PEOPLE_OPERATIONS } from './people-operations.ts'
import type { Permission } from './roles.ts'

export interface DashboardOperation extends Operation {
  area: 'dashboard'
  /** Null: open to visitors, who need not be signed in. */
  permission: Permission | null
}

export const DASHBOARD_OPERATIONS = {
  ...PEOPLE_OPERATIONS,
} as const satisfies Record<string, DashboardOperation>

export type DashboardOperationId = keyof typeof DASHBOARD_OPERATIONS
