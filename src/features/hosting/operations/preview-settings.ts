/** Parent domain of previews, which operators set and test in the dashboard. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'
import { TrialFinding } from '../../../base/api/trial.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const InstancePreviews = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'Where the domain is set. Environment variables cannot be changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Environment variables that set it.' }),
    domain: Nullable(Type.String({ description: 'Current domain; null: there are no previews.' })),
    usual: Nullable(
      Type.String({ description: 'Default domain, used if none is set. Only available on localhost.' }),
    ),
    open: Type.Integer({
      minimum: 0,
      description: 'Number of previews that are currently reachable, in all organizations.',
    }),
    changedBy: Nullable(Type.String({ description: 'Operator who last changed it.' })),
    changedAt: Nullable(DateTime),
  },
  closedObject('InstancePreviews'),
)
export type InstancePreviews = Static<typeof InstancePreviews>

export const InstancePreviewsBody = Type.Object(
  {
    domain: Nullable(Type.String({ minLength: 1, maxLength: 220, examples: ['previews.example.net'] })),
  },
  closedObject('ChangeInstancePreviews'),
)

export const PreviewDomainTrial = Type.Object(
  {
    faults: Type.Array(TrialFinding, {
      description: 'Errors that make previews unreachable; empty: none found.',
    }),
    notes: Type.Array(TrialFinding, { description: 'Warnings to consider before saving.' }),
  },
  closedObject('PreviewDomainTrial'),
)
export type PreviewDomainTrial = Static<typeof PreviewDomainTrial>

const PATH = '/internal/instance/previews'

export const INSTANCE_PREVIEW_OPERATIONS = {
  getInstancePreviews: {
    ...ROW,
    method: 'GET',
    path: PATH,
    summary: 'Get the preview domain',
    permission: 'instance',
    success: { status: 200, schema: InstancePreviews },
  },
  updateInstancePreviews: {
    ...ROW,
    method: 'PATCH',
    path: PATH,
    summary: 'Change the preview domain. It applies to all nodes and existing previews within seconds',
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
    summary: 'Test whether host names below a domain reach this server, before the domain is saved',
    audit: 'instance.previews_tested',
    permission: 'instance',
    body: InstancePreviewsBody,
    success: { status: 200, schema: PreviewDomainTrial },
  },
} as const satisfies Record<string, DashboardOperation>
