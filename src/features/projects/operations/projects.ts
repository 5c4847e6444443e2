/** Projects for the dashboard: settings, the published site, and current activity. */

import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { AgentChoice, AgentChoiceChange } from '../../agent/operations/agent-choice.ts'
import { Deployment, DeploymentState } from '../../hosting/operations/deployments.ts'
import { ProjectDomain } from './domains.ts'

const closed = (title: string) => ({ additionalProperties: false, title })
const count = (description: string) => Type.Integer({ minimum: 0, description })

export const ProjectParams = Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) })

export const ProjectSummary = Type.Object(
  {
    id: Type.String(),
    siteId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), { description: 'The main address first.' }),
    url: Nullable(
      Type.String({ description: 'Address of the hosted site; null without a domain that is served.' }),
    ),
    publishedAt: Nullable(DateTime),
    hasAssistant: Type.Boolean({ description: 'Whether this server answers questions of readers.' }),
    createdAt: DateTime,
    archivedAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Not null: it is read, and nothing in it is changed.',
      }),
    ),
  },
  closed('ProjectSummary'),
)
export type ProjectSummary = Static<typeof ProjectSummary>

export const ProjectSummaryList = Type.Object(
  {
    projects: Type.Array(ProjectSummary, { description: 'Oldest first, without archived ones.' }),
    archived: Type.Array(ProjectSummary, { description: 'Oldest first.' }),
  },
  closed('ProjectSummaryList'),
)
export type ProjectSummaryList = Static<typeof ProjectSummaryList>

const SourceKind = Type.Enum(['folder', 'git'])
const DeploymentSetting = Type.Enum(['client-hosted', 'air-gapped'])
const isOn = Type.Optional(Type.Boolean())

const SearchSetting = Type.Union([Type.Boolean(), Type.Literal('bundled')], {
  description: '`bundled`: in air-gapped bundles too, which have none otherwise.',
})

const FeatureChoice = Type.Object(
  { search: Type.Optional(SearchSetting), assistant: isOn, analytics: isOn, playground: isOn },
  { additionalProperties: false, description: 'What was chosen; what is left out has its default.' },
)

const WidgetChoice = Type.Object(
  { thumbs: isOn, code: isOn, suggestEdit: isOn, raiseIssue: isOn, bundles: isOn },
  { additionalProperties: false, description: 'What was chosen; what is left out is for docs.json to say.' },
)

export const ProjectDetail = Type.Object(
  {
    ...ProjectSummary.properties,
    domainStates: Type.Array(ProjectDomain, { description: 'In the order of `domains`.' }),
    provesDomains: Type.Boolean({
      description: 'Whether this server serves the domains that members name only once they are proved.',
    }),
    source: Type.Object(
      {
        kind: SourceKind,
        repository: Type.String({ description: 'An absolute folder of the server, or a git address.' }),
        ref: Nullable(Type.String({ description: 'Null: the default branch.' })),
        docsFolder: Type.String({ description: 'Where docs.json lies; empty: at the root.' }),
        lfs: Type.Boolean({ description: 'Files of Git LFS are fetched; of a git address alone.' }),
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
        description: "The operator's model, and the most that a project may choose.",
      },
    ),
    updatedAt: DateTime,
  },
  closed('ProjectDetail'),
)
export type ProjectDetail = Static<typeof ProjectDetail>

const Name = Line(NAME_CHARACTERS.project)
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
  closed('CreateProject'),
)
export type CreateProjectBody = Static<typeof CreateProjectBody>

const wanted = Type.Optional(Nullable(Type.Boolean()))

export const UpdateProjectBody = Type.Object(
  {
    updatedAt: Type.String({
      format: 'date-time',
      description: 'Of the settings that the change was made from; newer ones answer 409.',
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
        { additionalProperties: false, description: 'Null goes back to the default.' },
      ),
    ),
    widgets: Type.Optional(
      Type.Object(
        { thumbs: wanted, code: wanted, suggestEdit: wanted, raiseIssue: wanted, bundles: wanted },
        { additionalProperties: false, description: 'Null leaves it to docs.json.' },
      ),
    ),
    agent: Type.Optional(AgentChoiceChange),
  },
  { ...closed('UpdateProject'), description: 'What is left out stays as it is.' },
)
export type UpdateProjectBody = Static<typeof UpdateProjectBody>

export const PublishedState = Type.Object(
  {
    deploymentId: Type.String(),
    publishedAt: DateTime,
    revision: Nullable(Type.String()),
    pageCount: count('Pages of the published version.'),
    problemCount: count('Problems of its content.'),
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
    file: Type.String({ description: 'Below the docs folder.' }),
    line: Nullable(Type.Integer({ minimum: 1 })),
    code: Type.String(),
    level: Type.Enum([...PROBLEM_LEVELS]),
    message: Type.String(),
    remedy: Type.String(),
  },
  closed('SiteProblem'),
)
export type SiteProblem = Static<typeof SiteProblem>

export const PublishedSite = Type.Object(
  {
    url: Nullable(Type.String()),
    published: Nullable(PublishedState),
    current: Nullable(DeploymentState),
    last: Nullable(Deployment),
    problems: Type.Array(SiteProblem, { description: 'Of the published version, errors first.' }),
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
    ...closed('PublishedSite'),
    description: '`current` is the deployment at work, `last` the newest one that has ended.',
  },
)
export type PublishedSite = Static<typeof PublishedSite>

export const SourceLinesQuery = Type.Object(
  {
    file: Type.String({ minLength: 1, maxLength: 1024, description: 'Below the docs folder.' }),
    line: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 })),
    deploymentId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'As it was for this deployment. Default: the published one.',
      }),
    ),
    exportId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'As it was for this static export.' }),
    ),
  },
  { additionalProperties: false },
)
export type SourceLinesQuery = Static<typeof SourceLinesQuery>

export const SourceLines = Type.Object(
  {
    file: Type.String(),
    line: Type.Integer({ minimum: 1 }),
    revision: Nullable(Type.String({ description: 'Null: the folder as it lies there now.' })),
    url: Nullable(Type.String({ description: 'The line at the forge, when the source is at a known one.' })),
    lines: Type.Array(
      Type.Object(
        {
          number: Type.Integer({ minimum: 1 }),
          text: Type.String(),
          isCut: Type.Boolean({ description: 'The line is longer than what is shown.' }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 25 },
    ),
    totalLines: Type.Integer({ minimum: 0 }),
  },
  closed('SourceLines'),
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

/** Data of a `change` event. */
export const ProjectEvent = Type.Object(
  {
    kind: Type.Enum([...PROJECT_EVENT_KINDS]),
    id: Nullable(Type.String({ description: 'Null: many of them, look at all of the kind anew.' })),
  },
  closed('ProjectEvent'),
)
export type ProjectEvent = Static<typeof ProjectEvent>

const PROJECT = '/internal/projects/{projectId}'
const OF_PROJECT = { ...ROW, params: ProjectParams } as const

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
    summary: 'Make a project',
    audit: 'project.created',
    permission: 'projects',
    body: CreateProjectBody,
    success: { status: 201, schema: ProjectDetail, headers: { Location: 'Address of the project.' } },
  },
  getProject: {
    ...OF_PROJECT,
    method: 'GET',
    path: PROJECT,
    summary: 'Get a project with all its settings',
    permission: 'read',
    success: { status: 200, schema: ProjectDetail },
  },
  updateProject: {
    ...OF_PROJECT,
    method: 'PATCH',
    path: PROJECT,
    summary: 'Change settings of a project; 409 when they have changed since they were read',
    audit: 'project.updated',
    permission: 'projects',
    body: UpdateProjectBody,
    success: { status: 200, schema: ProjectDetail },
  },
  getPublishedSite: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/site`,
    summary: 'The published version of the site, its problems page by page, and the deployment at work',
    permission: 'read',
    query: PublishedSiteQuery,
    success: { status: 200, schema: PublishedSite },
  },
  getSourceLines: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/source-lines`,
    summary: 'Lines of a file of the docs folder, around one of them',
    permission: 'read',
    query: SourceLinesQuery,
    success: { status: 200, schema: SourceLines },
  },
  streamProjectEvents: {
    ...OF_PROJECT,
    method: 'GET',
    path: `${PROJECT}/events`,
    summary: 'Follow what changes in a project as server-sent events; does not end by itself',
    permission: 'read',
    success: {
      status: 200,
      contentType: 'text/event-stream',
      schema: Type.String({
        description:
          'First an event named `ready` with `{ mayHaveMissed }`: true for who comes back with `Last-Event-ID` and where something changed in the minute before, and then everything is to be looked at anew. Then events named `change`, each with a ProjectEvent as JSON data, at most a second or so after the change.',
      }),
    },
  },
} as const satisfies Record<string, DashboardOperation>
