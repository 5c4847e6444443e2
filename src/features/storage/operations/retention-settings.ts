/**
 * Default retention for organizations that have not chosen their own, as operators view and set it on the dashboard.
 */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { MAX_RETENTION_DAYS, RETENTION_KINDS, type RetentionKind } from '../../../base/api/retention.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const Days = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_RETENTION_DAYS, description: `${description}; 0: for ever.` })

const RetentionOfServer = Type.Object(
  {
    kind: Type.Enum([...RETENTION_KINDS]),
    days: Days('In force where an organization has chosen nothing'),
    chosen: Type.Boolean({ description: 'Set on the dashboard; otherwise it follows the default.' }),
    usualDays: Days('Of who has chosen nothing'),
    organizations: Type.Integer({
      minimum: 0,
      description: 'That have chosen their own days, for which a change here counts nothing.',
    }),
  },
  { additionalProperties: false },
)

export const InstanceRetention = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'What says it. What the environment says is not changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Of the environment, that say it.' }),
    kinds: Type.Array(RetentionOfServer),
    changedBy: Nullable(Type.String({ description: 'Name of the operator who changed it last.' })),
    changedAt: Nullable(DateTime),
  },
  closed('InstanceRetention'),
)
export type InstanceRetention = Static<typeof InstanceRetention>

const Choice = Type.Optional(Nullable(Days('Days; null: the default')))

/** Kinds that are left out stay unchanged. */
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
  closed('ChangeInstanceRetention'),
)

const PATH = '/internal/instance/retention'

export const INSTANCE_RETENTION_OPERATIONS = {
  getInstanceRetention: {
    ...ROW,
    method: 'GET',
    path: PATH,
    summary: 'For how long things are kept where no organization has chosen its own',
    permission: 'instance',
    success: { status: 200, schema: InstanceRetention },
  },
  updateInstanceRetention: {
    ...ROW,
    method: 'PATCH',
    path: PATH,
    summary: 'Change for how long things are kept, on all nodes within seconds',
    audit: 'instance.retention_changed',
    needsFresh: true,
    permission: 'instance',
    body: InstanceRetentionBody,
    success: { status: 200, schema: InstanceRetention },
  },
} as const satisfies Record<string, DashboardOperation>
