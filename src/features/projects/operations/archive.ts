/** Archived projects: they keep all data, and can be unarchived in one step. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

export const ArchivedProject = Type.Object(
  {
    projectId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String()),
    archivedAt: DateTime,
    serves: Type.Boolean({ description: 'Readers get the site as it was last published.' }),
    takesFeedback: Type.Boolean({ description: 'Readers may say something of it.' }),
  },
  closed('ArchivedProject'),
)
export type ArchivedProject = Static<typeof ArchivedProject>

export const ArchivedProjectList = Type.Object(
  { projects: Type.Array(ArchivedProject, { description: 'The one archived last first.' }) },
  closed('ArchivedProjectList'),
)

export const ArchiveProjectBody = Type.Object(
  {
    serves: Type.Optional(Type.Boolean({ default: true, description: 'Go on serving the site.' })),
    takesFeedback: Type.Optional(
      Type.Boolean({ default: false, description: 'Go on taking feedback; of a site that is served alone.' }),
    ),
  },
  closed('ArchiveProject'),
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
    summary: 'Archive a project: it keeps everything, and nothing starts or is collected in it',
    audit: 'project.archived',
    needsRoom: false,
    body: ArchiveProjectBody,
    success: { status: 200, schema: ArchivedProject },
  },
  unarchiveProject: {
    ...CHANGE,
    path: '/v1/projects/{projectId}/unarchive',
    summary: 'Unarchive a project: it is as it was',
    audit: 'project.unarchived',
    needsRoom: false,
    success: { status: 200, schema: ArchivedProject },
  },
} as const satisfies Record<string, Operation>
