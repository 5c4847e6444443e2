/** Archived projects, which keep all data and can be unarchived in one step. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const ArchivedProject = Type.Object(
  {
    projectId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String()),
    archivedAt: DateTime,
    serves: Type.Boolean({ description: 'Whether readers still see the site as last published.' }),
    takesFeedback: Type.Boolean({ description: 'Whether readers can still send feedback.' }),
  },
  closedObject('ArchivedProject'),
)
export type ArchivedProject = Static<typeof ArchivedProject>

export const ArchivedProjectList = Type.Object(
  { projects: Type.Array(ArchivedProject, { description: 'Most recently archived first.' }) },
  closedObject('ArchivedProjectList'),
)

export const ArchiveProjectBody = Type.Object(
  {
    serves: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether to continue serving the site.' }),
    ),
    takesFeedback: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to continue accepting feedback. Only for served sites.',
      }),
    ),
  },
  closedObject('ArchiveProject'),
)
export type ArchiveProjectBody = Static<typeof ArchiveProjectBody>

const Params = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })

const ROW = {
  ...PUBLIC_ROW,
  area: 'projects',
  params: Params,
} as const
const CHANGE = {
  ...ROW,
  method: 'POST',
  ofArchived: 'allowed',
} as const

export const ARCHIVE_OPERATIONS = {
  listArchivedProjects: {
    ...ROW,
    method: 'GET',
    keyProjects: 'scoped',
    path: '/v1/archived-projects',
    summary: 'List archived projects',
    params: null,
    success: { status: 200, schema: ArchivedProjectList },
  },
  archiveProject: {
    ...CHANGE,
    path: '/v1/projects/{projectId}/archive',
    summary: 'Archive a project: its data stays, but jobs, publishing and data collection stop',
    audit: 'project.archived',
    needsRoom: false,
    body: ArchiveProjectBody,
    success: { status: 200, schema: ArchivedProject },
  },
  unarchiveProject: {
    ...CHANGE,
    path: '/v1/projects/{projectId}/unarchive',
    summary: 'Unarchive a project',
    audit: 'project.unarchived',
    needsRoom: false,
    success: { status: 200, schema: ArchivedProject },
  },
} as const satisfies Record<string, Operation>
