/** Default retention for organizations without their own setting, which operators set in the dashboard. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { MAX_RETENTION_DAYS, RETENTION_KINDS, type RetentionKind } from '../../../base/api/retention.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const Days = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_RETENTION_DAYS, description: `${description}; 0: forever.` })

const RetentionOfServer = Type.Object(
  {
    kind: Type.Enum([...RETENTION_KINDS]),
    days: Days('Used by organizations without their own setting'),
    chosen: Type.Boolean({
      description: 'Whether it was set on the dashboard. Otherwise the default applies.',
    }),
    usualDays: Days('Default for organizations without their own setting'),
    organizations: Type.Integer({
      minimum: 0,
      description: 'Number of organizations with their own setting, which are not affected by a change here.',
    }),
  },
  { additionalProperties: false },
)

export const InstanceRetention = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'Where the retention times are set. Environment variables cannot be changed here.',
    }),
    variables: Type.Array(Type.String(), {
      description: 'Environment variables that set the retention times.',
    }),
    kinds: Type.Array(RetentionOfServer),
    changedBy: Nullable(Type.String({ description: 'Operator who last changed it.' })),
    changedAt: Nullable(DateTime),
  },
  closedObject('InstanceRetention'),
)
export type InstanceRetention = Static<typeof InstanceRetention>

const Choice = Type.Optional(Nullable(Days('Days; null: the default')))

/** Absent kinds are not changed. */
export const InstanceRetentionBody = Type.Object(
  {
    retention: Type.Object(
      Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, Choice])) as Record<
        RetentionKind,
        typeof Choice
      >,
      { additionalProperties: false },
    ),
  },
  closedObject('ChangeInstanceRetention'),
)

const PATH = '/internal/instance/retention'

export const INSTANCE_RETENTION_OPERATIONS = {
  getInstanceRetention: {
    ...ROW,
    method: 'GET',
    path: PATH,
    summary: 'Get the default retention times',
    permission: 'instance',
    success: { status: 200, schema: InstanceRetention },
  },
  updateInstanceRetention: {
    ...ROW,
    method: 'PATCH',
    path: PATH,
    summary: 'Update the default retention times; applies to all nodes within seconds',
    audit: 'instance.retention_changed',
    needsFresh: true,
    permission: 'instance',
    body: InstanceRetentionBody,
    success: { status: 200, schema: InstanceRetention },
  },
} as const satisfies Record<string, DashboardOperation>
