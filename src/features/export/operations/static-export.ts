/** Static export: jobs that pre-render a site, and the resulting bundle. */

import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, JobErrorCode, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'

const JobId = Type.String({ pattern: '^se_[0-9a-z]+$', examples: ['se_01jd4q8r6v0000000000000000'] })

export const StartExportBody = Type.Object(
  {
    domain: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Host name of the site, without scheme or path.',
      examples: ['docs.example.com'],
    }),
    deployment: Type.Optional(
      Type.Enum(['client-hosted', 'air-gapped'], {
        description: "Where the bundle will be hosted. Default: the project's setting.",
      }),
    ),
    features: Type.Optional(
      Type.Object(
        {
          search: Type.Optional(
            Type.Union([Type.Boolean(), Type.Literal('bundled')], {
              description:
                '`bundled`: includes search in air-gapped bundles, which otherwise have no search.',
            }),
          ),
          assistant: Type.Optional(Type.Boolean()),
          analytics: Type.Optional(Type.Boolean()),
          playground: Type.Optional(Type.Boolean()),
        },
        {
          additionalProperties: false,
          description:
            'Features to turn on or off. A feature that cannot be changed for this deployment is rejected.',
          examples: [{ search: true }],
        },
      ),
    ),
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        minItems: 1,
        maxItems: 50_000,
        description: 'Page paths to include. Default: all pages.',
        examples: [['/quickstart', '/guides/deploy']],
      }),
    ),
    groups: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 20,
        uniqueItems: true,
        description:
          'Reader groups that the bundle is for. Pages for other groups are excluded. Default: only public pages.',
        examples: [['partners']],
      }),
    ),
    version: Type.Optional(Line(200, { description: 'Your own label for this export.' })),
  },
  { additionalProperties: false, title: 'StartExport' },
)
export type StartExportBody = Static<typeof StartExportBody>

export const ExportStatus = Type.Enum(['queued', 'running', 'completed', 'failed'])
export type ExportStatus = Static<typeof ExportStatus>

export const ExportWarning = Type.Object(
  {
    path: Type.String({ description: 'Path relative to the docs folder.' }),
    line: Nullable(Type.Integer({ minimum: 1 })),
    message: Type.String({ description: 'What went wrong and what to do.' }),
    code: Type.Optional(
      Type.String({
        description: 'Code such as `link.missing`. Absent in results from older versions.',
      }),
    ),
    remedy: Type.Optional(
      Type.String({ description: 'How to fix the problem. This is the end of `message`.' }),
    ),
  },
  { additionalProperties: false },
)

/** Progress after all pages are written and before the archive is created. */
export const ARCHIVE_PROGRESS = 90

export const ExportJob = Type.Object(
  {
    jobId: JobId,
    domain: Type.String(),
    deployment: Type.Enum(['client-hosted', 'air-gapped']),
    version: Nullable(Type.String()),
    status: ExportStatus,
    progress: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Never decreases; 100 only when completed.',
    }),
    pageCount: Type.Integer({ minimum: 0, description: 'Pages rendered so far.' }),
    totalPages: Nullable(Type.Integer({ minimum: 0 })),
    createdAt: DateTime,
    updatedAt: DateTime,
    error: Nullable(
      Type.String({ description: 'Why the export failed; during a retry, why the last attempt failed.' }),
    ),
    errorCode: Nullable(JobErrorCode),
    warnings: Type.Array(ExportWarning, { maxItems: 100 }),
    warningCount: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false, title: 'StaticExportJob' },
)
export type ExportJob = Static<typeof ExportJob>

export const ExportJobParams = Type.Object({ jobId: Type.String({ minLength: 1, maxLength: 64 }) })

export const ExportJobList = Type.Object(
  { jobs: Type.Array(ExportJob), nextCursor: Nullable(Type.String()), hasMore: Type.Boolean() },
  { additionalProperties: false, title: 'StaticExportJobList' },
)
export type ExportJobList = Static<typeof ExportJobList>

export const ListExportsQuery = Type.Object({ ...PageQuery }, { additionalProperties: false })
export type ListExportsQuery = Static<typeof ListExportsQuery>

export const ExportBundle = Type.Object(
  {
    jobId: JobId,
    bundleUrl: Type.String({ format: 'uri', description: 'Presigned link to the archive.' }),
    sizeBytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    expiresAt: DateTime,
  },
  { additionalProperties: false, title: 'StaticExportBundle' },
)
export type ExportBundle = Static<typeof ExportBundle>

const JOB = '/v1/static-export/jobs/{jobId}'

const ROW = { ...PUBLIC_ROW, area: 'static-export', ownerTable: 'static_exports' } as const

export const STATIC_EXPORT_OPERATIONS = {
  startExport: {
    ...ROW,
    method: 'POST',
    keyProjects: 'scoped',
    path: '/v1/static-export/jobs',
    summary: 'Start a static export of the site at a domain',
    audit: 'static_export.started',
    limit: { name: 'exportStarts', counts: 'accepted' },
    body: StartExportBody,
    success: { status: 202, schema: ExportJob, headers: { Location: 'URL of the job.' } },
  },
  listExports: {
    ...ROW,
    method: 'GET',
    keyProjects: 'scoped',
    path: '/v1/static-export/jobs',
    summary: 'List static export jobs, newest first',
    query: ListExportsQuery,
    success: { status: 200, schema: ExportJobList },
  },
  getExport: {
    ...ROW,
    method: 'GET',
    path: JOB,
    summary: 'Get a static export job with its live progress',
    params: ExportJobParams,
    success: { status: 200, schema: ExportJob },
  },
  generateBundle: {
    ...ROW,
    method: 'POST',
    path: `${JOB}/bundle`,
    summary: 'Get a presigned link to the archive of a completed job',
    audit: 'static_export.link_made',
    needsRoom: false,
    params: ExportJobParams,
    success: { status: 200, schema: ExportBundle },
  },
  cancelExport: {
    ...ROW,
    method: 'POST',
    path: `${JOB}/cancel`,
    summary: 'Cancel a queued or running job',
    audit: 'static_export.cancelled',
    needsRoom: false,
    params: ExportJobParams,
    success: { status: 200, schema: ExportJob },
  },
  streamExportEvents: {
    ...ROW,
    method: 'GET',
    path: `${JOB}/events`,
    summary: 'Stream a job as server-sent events until it ends',
    params: ExportJobParams,
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({
        description: 'Events named `job`, each with a StaticExportJob as JSON in `data`.',
      }),
    },
  },
} as const satisfies Record<string, Operation>
