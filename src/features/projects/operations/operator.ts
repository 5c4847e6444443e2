/** Project operations for the command line on the server's machine. */

import { type Static, Type } from 'typebox'
import { LINE_PATTERN } from '../../../base/api/line.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { Nullable } from '../../../base/api/schema.ts'
import { ProjectDetail, ProjectParams } from './projects.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const MACHINE = { ...ROW, permission: 'machine' } as const

export const OperatorProject = Type.Object(
  {
    projectId: Type.String(),
    organizationId: Type.String(),
    ...Type.Omit(ProjectDetail, [
      'publishedAt',
      'hasAssistant',
      'domainStates',
      'provesDomains',
      'agentLimits',
      'features',
      'url',
    ]).properties,
    url: Nullable(
      Type.String({ description: 'URL at the domain in the query, otherwise at the main domain.' }),
    ),
    servedDomains: Type.Array(Type.String(), { description: 'Domains at which the site is served.' }),
  },
  closedObject('OperatorProject'),
)
export type OperatorProject = Static<typeof OperatorProject>

export const OPERATOR_PROJECT_OPERATIONS = {
  findProjects: {
    ...MACHINE,
    method: 'GET',
    path: '/internal/operator/projects',
    summary: 'List projects by organization, ID or domain',
    query: Type.Object(
      { named: Type.Optional(Type.String({ description: 'ID or domain.', minLength: 1, maxLength: 300 })) },
      { additionalProperties: false },
    ),
    success: {
      status: 200,
      schema: Type.Object({ projects: Type.Array(OperatorProject) }, closedObject('OperatorProjectList')),
    },
  },
  vouchForDomain: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/projects/{projectId}/domains',
    summary: 'Serve a project at a domain without verifying the domain',
    audit: 'project.domain_vouched',
    params: ProjectParams,
    body: Type.Object(
      {
        domain: Type.String({ pattern: LINE_PATTERN, maxLength: 300 }),
        takesOver: Type.Optional(
          Type.Boolean({
            description: 'Whether to take the domain over from the project that it is currently served for.',
          }),
        ),
      },
      closedObject('VouchForDomain'),
    ),
    success: {
      status: 200,
      schema: Type.Object({ projectId: Type.String(), domain: Type.String() }, closedObject('VouchedDomain')),
    },
  },
  moveProject: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/projects/{projectId}/move',
    summary: 'Transfer a project to another organization immediately',
    audit: 'project.transferred',
    params: ProjectParams,
    body: Type.Object(
      { organizationId: Type.String({ minLength: 1, maxLength: 64 }) },
      closedObject('MoveProject'),
    ),
    success: {
      status: 200,
      schema: Type.Object(
        { projectId: Type.String(), name: Type.String(), organizationId: Type.String() },
        closedObject('MovedProject'),
      ),
    },
  },
} as const satisfies Record<string, DashboardOperation>
