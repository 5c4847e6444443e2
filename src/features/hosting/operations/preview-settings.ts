/** The parent domain of previews, as operators view, set and test it on the dashboard. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { TrialFinding } from '../../../base/api/trial.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

export const InstancePreviews = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'What names the domain. What the environment says is not changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Of the environment, that name it.' }),
    domain: Nullable(Type.String({ description: 'In force; null: there are no previews.' })),
    usual: Nullable(
      Type.String({ description: 'In force where nobody names one, which is so on localhost alone.' }),
    ),
    open: Type.Integer({
      minimum: 0,
      description: 'Previews that have an address now, of all organizations.',
    }),
    changedBy: Nullable(Type.String({ description: 'Name of the operator who changed it last.' })),
    changedAt: Nullable(DateTime),
  },
  closed('InstancePreviews'),
)
export type InstancePreviews = Static<typeof InstancePreviews>

export const InstancePreviewsBody = Type.Object(
  {
    domain: Nullable(Type.String({ minLength: 1, maxLength: 220, examples: ['previews.example.net'] })),
  },
  closed('ChangeInstancePreviews'),
)

export const PreviewDomainTrial = Type.Object(
  {
    faults: Type.Array(TrialFinding, {
      description: 'One for each thing that keeps readers from previews; empty: none was found.',
    }),
    notes: Type.Array(TrialFinding, { description: 'What is worth knowing before it is saved.' }),
  },
  closed('PreviewDomainTrial'),
)
export type PreviewDomainTrial = Static<typeof PreviewDomainTrial>

const PATH = '/internal/instance/previews'

export const INSTANCE_PREVIEW_OPERATIONS = {
  getInstancePreviews: {
    ...ROW,
    method: 'GET',
    path: PATH,
    summary: 'The domain that previews have their names below',
    permission: 'instance',
    success: { status: 200, schema: InstancePreviews },
  },
  updateInstancePreviews: {
    ...ROW,
    method: 'PATCH',
    path: PATH,
    summary:
      'Change the domain of previews, on all nodes within seconds; each preview moves to its name there',
    audit: 'instance.previews_changed',
    needsFresh: true,
    permission: 'instance',
    body: InstancePreviewsBody,
    success: { status: 200, schema: InstancePreviews },
  },
  testInstancePreviews: {
    ...ROW,
    method: 'POST',
    path: `${PATH}/test`,
    summary: 'Look whether names below a domain lead to this server, before it is saved',
    audit: 'instance.previews_tested',
    permission: 'instance',
    body: InstancePreviewsBody,
    success: { status: 200, schema: PreviewDomainTrial },
  },
} as const satisfies Record<string, DashboardOperation>
