/** Projects for the dashboard: settings, the published site, and current activity. */

import { type Static, Type } from 'typebox'
import { NAME_CHARACTER_LIMITS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, JobErrorCode, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { AgentChoice, AgentChoiceChange } from '../../agent/operations/agent-choice.ts'
import { Deployment, DeploymentState } from '../../hosting/operations/deployments.ts'
import { ProjectDomain } from './domains.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const count = (description: string) => Type.Integer({ minimum: 0, description })

export const ProjectParams = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })

export const ProjectSummary = Type.Object(
  {
    id: Type.String(),
    siteId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), { description: 'Main domain first.' }),
    url: Nullable(Type.String({ description: 'URL of the hosted site; null if no domain is served.' })),
    publishedAt: Nullable(DateTime),
    hasAssistant: Type.Boolean({ description: "Whether this server answers readers' questions." }),
    createdAt: DateTime,
    archivedAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'If not null, the project is archived and cannot be changed.',
      }),
    ),
  },
  closedObject('ProjectSummary'),
)
export type ProjectSummary = Static<typeof ProjectSummary>

export const ProjectSummaryList = Type.Object(
  {
    projects: Type.Array(ProjectSummary, { description: 'Oldest first, without archived projects.' }),
    archived: Type.Array(ProjectSummary, { description: 'Oldest first.' }),
  },
  closedObject('ProjectSummaryList'),
)
export type ProjectSummaryList = Static<typeof ProjectSummaryList>

const SourceKind = Type.Enum(['folder', 'git'])
const DeploymentSetting = Type.Enum(['client-hosted', 'air-gapped'])
const isOn = Type.Optional(Type.Boolean())

const SearchSetting = Type.Union([Type.Boolean(), Type.Literal('bundled')], {
  description: '`bundled`: includes search in air-gapped bundles, which otherwise have no search.',
})

const FeatureChoice = Type.Object(
  { search: Type.Optional(SearchSetting), assistant: isOn, analytics: isOn, playground: isOn },
  { additionalProperties: false, description: 'Chosen settings; omitted ones use the default.' },
)

const WidgetChoice = Type.Object(
  { thumbs: isOn, code: isOn, suggestEdit: isOn, raiseIssue: isOn, bundles: isOn },
  { additionalProperties: false, description: 'Chosen settings; omitted ones are taken from docs.json.' },
)

export const ProjectDetail = Type.Object(
  {
    ...ProjectSummary.properties,
    domainStates: Type.Array(ProjectDomain, { description: 'In the order of `domains`.' }),
    provesDomains: Type.Boolean({
      description: 'Whether domains added by members must be verified before this server uses them.',
    }),
    source: Type.Object(
      {
        kind: SourceKind,
        repository: Type.String({
          description: 'Absolute path of a folder on the server, or URL of a git repository.',
        }),
        ref: Nullable(Type.String({ description: 'Null: the default branch.' })),
        docsFolder: Type.String({ description: 'Folder that contains docs.json; empty: the root.' }),
        lfs: Type.Boolean({ description: 'Whether Git LFS files are fetched. Only for git URLs.' }),
      },
      { additionalProperties: false },
    ),
    defaultDeployment: DeploymentSetting,
    features: FeatureChoice,
    widgets: WidgetChoice,
    agent: AgentChoice,
    agentLimits: Type.Object(
      {
        model: Nullable(Type.String({ description: 'Null: the operator has configured no model.' })),
        steps: Type.Integer(),
        tokens: Type.Integer(),
        minutes: Type.Integer(),
        files: Type.Integer(),
        bytes: Type.Integer(),
      },
      {
        additionalProperties: false,
        description: "The operator's model, and the maximum values that a project can choose.",
      },
    ),
    updatedAt: DateTime,
  },
  closedObject('ProjectDetail'),
)
export type ProjectDetail = Static<typeof ProjectDetail>

const Name = Line(NAME_CHARACTER_LIMITS.project)
const Repository = Type.String({ minLength: 1, maxLength: 2048 })
const Ref = Nullable(Type.String({ minLength: 1, maxLength: 255 }))
const DocsFolder = Type.String({ maxLength: 1024 })
const Domains = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 50 })

export const CreateProjectBody = Type.Object(
  {
    name: Name,
    domains: Domains,
    source: Type.Object(
      {
        kind: SourceKind,
        repository: Repository,
        ref: Type.Optional(Ref),
        docsFolder: Type.Optional(DocsFolder),
        lfs: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
    defaultDeployment: Type.Optional(DeploymentSetting),
  },
  closedObject('CreateProject'),
)
export type CreateProjectBody = Static<typeof CreateProjectBody>

export const SourceTest = Type.Object(
  {
    error: Nullable(Type.String({ description: 'Why the repository cannot be read, as a sentence.' })),
    errorCode: Nullable(JobErrorCode),
  },
  closedObject('SourceTest'),
)
export type SourceTest = Static<typeof SourceTest>

const wanted = Type.Optional(Nullable(Type.Boolean()))

export const UpdateProjectBody = Type.Object(
  {
    updatedAt: Type.String({
      format: 'date-time',
      description:
        '`updatedAt` of the settings that the change is based on. The response is 409 if they have changed since.',
    }),
    name: Type.Optional(Name),
    source: Type.Optional(
      Type.Object(
        {
          kind: Type.Optional(SourceKind),
          repository: Type.Optional(Repository),
          ref: Type.Optional(Ref),
          docsFolder: Type.Optional(DocsFolder),
          lfs: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
    ),
    domains: Type.Optional(Domains),
    defaultDeployment: Type.Optional(DeploymentSetting),
    features: Type.Optional(
      Type.Object(
        {
          search: Type.Optional(Nullable(SearchSetting)),
          assistant: wanted,
          analytics: wanted,
          playground: wanted,
        },
        { additionalProperties: false, description: 'Null restores the default.' },
      ),
    ),
    widgets: Type.Optional(
      Type.Object(
        { thumbs: wanted, code: wanted, suggestEdit: wanted, raiseIssue: wanted, bundles: wanted },
        { additionalProperties: false, description: 'Null uses the value in docs.json.' },
      ),
    ),
    agent: Type.Optional(AgentChoiceChange),
  },
  { ...closedObject('UpdateProject'), description: 'Omitted fields stay unchanged.' },
)
export type UpdateProjectBody = Static<typeof UpdateProjectBody>

export const PublishedState = Type.Object(
  {
    deploymentId: Type.String(),
    publishedAt: DateTime,
    revision: Nullable(Type.String()),
    pageCount: count('Pages of the published version.'),
    problemCount: count('Problems in its content.'),
  },
  { additionalProperties: false },
)

export const PROBLEM_LEVELS = ['error', 'warning', 'hint'] as const

export const PublishedSiteQuery = Type.Object(
  {
    level: Type.Optional(Type.Enum([...PROBLEM_LEVELS])),
    file: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    ...PageQuery,
  },
  { additionalProperties: false },
)
export type PublishedSiteQuery = Static<typeof PublishedSiteQuery>

export const SiteProblem = Type.Object(
  {
    file: Type.String({ description: 'Path relative to the docs folder.' }),
    line: Nullable(Type.Integer({ minimum: 1 })),
    code: Type.String(),
    level: Type.Enum([...PROBLEM_LEVELS]),
    message: Type.String(),
    remedy: Type.String(),
  },
  closedObject('SiteProblem'),
)
export type SiteProblem = Static<typeof SiteProblem>

export const PublishedSite = Type.Object(
  {
    url: Nullable(Type.String()),
    published: Nullable(PublishedState),
    current: Nullable(DeploymentState),
    last: Nullable(Deployment),
    problems: Type.Array(SiteProblem, { description: 'Problems of the published version, errors first.' }),
    problemCounts: Type.Object(
      {
        error: Type.Integer({ minimum: 0 }),
        warning: Type.Integer({ minimum: 0 }),
        hint: Type.Integer({ minimum: 0 }),
      },
      { additionalProperties: false },
    ),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  {
    ...closedObject('PublishedSite'),
    description: '`current` is the running deployment, `last` the newest finished one.',
  },
)
export type PublishedSite = Static<typeof PublishedSite>

export const SourceLinesQuery = Type.Object(
  {
    file: Type.String({ minLength: 1, maxLength: 1024, description: 'Path relative to the docs folder.' }),
    line: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 })),
    deploymentId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Deployment whose source is shown. Default: the published one.',
      }),
    ),
    exportId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Static export whose source is shown.' }),
    ),
  },
  { additionalProperties: false },
)
export type SourceLinesQuery = Static<typeof SourceLinesQuery>

export const SourceLines = Type.Object(
  {
    file: Type.String(),
    line: Type.Integer({ minimum: 1 }),
    revision: Nullable(Type.String({ description: 'Null: the current state of the folder.' })),
    url: Nullable(Type.String({ description: 'URL of the line on the forge, if the forge is known.' })),
    lines: Type.Array(
      Type.Object(
        {
          number: Type.Integer({ minimum: 1 }),
          text: Type.String(),
          isCut: Type.Boolean({ description: 'Whether the line is truncated.' }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 25 },
    ),
    totalLines: Type.Integer({ minimum: 0 }),
  },
  closedObject('SourceLines'),
)
export type SourceLines = Static<typeof SourceLines>

export const PROJECT_EVENT_KINDS = [
  'feedback',
  'agent_job',
  'export',
  'deployment',
  'project',
  'notification',
] as const

export const ProjectEvent = Type.Object(
  {
    kind: Type.Enum([...PROJECT_EVENT_KINDS]),
    id: Nullable(
      Type.String({ description: 'Null: many items have changed. Reload all items of this kind.' }),
    ),
  },
  closedObject('ProjectEvent'),
)
export type ProjectEvent = Static<typeof ProjectEvent>

const PROJECT = '/internal/projects/{projectId}'
const PROJECT_ROW = { ...ROW, params: ProjectParams } as const

export const PROJECT_OPERATIONS = {
  listProjects: {
    ...ROW,
    method: 'GET',
    path: '/internal/projects',
    summary: 'List the projects of the organization',
    permission: 'read',
    success: { status: 200, schema: ProjectSummaryList },
  },
  createProject: {
    ...ROW,
    method: 'POST',
    path: '/internal/projects',
    summary: 'Create a project',
    audit: 'project.created',
    permission: 'projects',
    body: CreateProjectBody,
    success: { status: 201, schema: ProjectDetail, headers: { Location: 'URL of the project.' } },
  },
  testSource: {
    ...ROW,
    method: 'POST',
    path: '/internal/projects/test',
    summary: 'Test whether the repository of a new project can be read',
    audit: { none: 'Reads from a repository and changes nothing.' },
    permission: 'projects',
    body: CreateProjectBody,
    success: { status: 200, schema: SourceTest },
  },
  getProject: {
    ...PROJECT_ROW,
    method: 'GET',
    path: PROJECT,
    summary: 'Get a project with all its settings',
    permission: 'read',
    success: { status: 200, schema: ProjectDetail },
  },
  updateProject: {
    ...PROJECT_ROW,
    method: 'PATCH',
    path: PROJECT,
    summary: 'Update the settings of a project; 409 if they have changed since they were read',
    audit: 'project.updated',
    permission: 'projects',
    body: UpdateProjectBody,
    success: { status: 200, schema: ProjectDetail },
  },
  getPublishedSite: {
    ...PROJECT_ROW,
    method: 'GET',
    path: `${PROJECT}/site`,
    summary: 'Get the published version of the site, its problems by page, and the running deployment',
    permission: 'read',
    query: PublishedSiteQuery,
    success: { status: 200, schema: PublishedSite },
  },
  getSourceLines: {
    ...PROJECT_ROW,
    method: 'GET',
    path: `${PROJECT}/source-lines`,
    summary: 'Get lines of a file in the docs folder, around a given line',
    permission: 'read',
    query: SourceLinesQuery,
    success: { status: 200, schema: SourceLines },
  },
  streamProjectEvents: {
    ...PROJECT_ROW,
    method: 'GET',
    path: `${PROJECT}/events`,
    summary: 'Stream changes in a project as server-sent events until the client disconnects',
    permission: 'read',
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({
        description:
          'First, an event named `ready` with `{ mayHaveMissed }`: true if the client reconnects with `Last-Event-ID`, or if something changed in the last minute. The client must then reload everything. After that, events named `change`, each with a ProjectEvent as JSON in `data`, at most about a second after the change.',
      }),
    },
  },
} as const satisfies Record<string, DashboardOperation>
