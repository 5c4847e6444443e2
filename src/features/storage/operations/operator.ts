/** Operations on object storage for the command line on the server's machine. */

import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { type Holder, STORAGE_HOLDER_LABELS } from '../../../base/api/retention.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const MACHINE = { ...ROW, permission: 'machine' } as const
const count = Type.Integer({ minimum: 0 })
const Totals = Type.Object({ objects: count, bytes: count }, { additionalProperties: false })

const Use = Type.Array(
  Type.Object(
    {
      organizationId: Nullable(
        Type.String({ description: 'Null: shared by several organizations, or unused.' }),
      ),
      holder: Type.Enum(Object.keys(STORAGE_HOLDER_LABELS) as Holder[]),
      objects: count,
      bytes: count,
    },
    { additionalProperties: false },
  ),
)

export const StorageSweep = Type.Object({ use: Use, deleted: Totals }, closedObject('StorageSweep'))
export type StorageSweep = Static<typeof StorageSweep>

export const OPERATOR_STORAGE_OPERATIONS = {
  measureStorage: {
    ...MACHINE,
    method: 'GET',
    path: '/internal/operator/storage',
    summary: 'Measure storage by use, and what a sweep would delete',
    success: {
      status: 200,
      schema: Type.Object(
        { use: Use, deletable: Totals, lastSweep: Nullable(DateTime) },
        closedObject('StorageMeasured'),
      ),
    },
  },
  /** Removes only unneeded objects, in separate transactions like the hourly sweep. */
  sweepStorage: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/storage/sweep',
    isQuery: true,
    summary: 'Sweep object storage now',
    success: {
      status: 200,
      schema: Type.Object(
        { sweep: Nullable({ ...StorageSweep, description: 'Null: another sweep is running.' }) },
        closedObject('StorageSwept'),
      ),
    },
  },
} as const satisfies Record<string, DashboardOperation>
