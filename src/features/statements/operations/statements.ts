/** Statements of a project's docs with the code they depend on, and statements that may be false. */
import { type Static, Type } from 'typebox'
import {
  DASHBOARD_ROW,
  type DashboardOperation,
  type Operation,
  PUBLIC_ROW,
} from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { ProjectParams } from '../../projects/operations/projects.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

export const ALARM_REASONS = ['gone', 'value', 'signature', 'path'] as const
export type AlarmReason = (typeof ALARM_REASONS)[number]
export const STATEMENT_STATES = ['bound', 'confirmed', 'in_doubt'] as const

const CodeLine = Type.Object(
  { file: Type.String(), line: Type.Integer({ minimum: 1 }), text: Type.String() },
  closed('CodeLine'),
)
export type CodeLine = Static<typeof CodeLine>

const Binding = Type.Object(
  {
    name: Type.String({ description: 'Name in the statement.', examples: ['--log-level'] }),
    repository: Type.String({ description: 'Name of the code repository.', examples: ['api'] }),
    file: Type.String({ examples: ['src/cli.ts'] }),
    line: Type.Integer({ minimum: 1 }),
    text: Type.String({ description: 'The line of code, at most 300 characters.' }),
    quote: Type.Optional(
      Type.String({
        description:
          'The part of the line that a model matched to the statement; absent if the line was matched by name.',
      }),
    ),
  },
  closed('StatementBinding'),
)
export type Binding = Static<typeof Binding>

const StatementAlarm = Type.Object(
  {
    repository: Type.String({ description: 'Name of the code repository.' }),
    pullRequest: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Pull request with the change; null: the change is already in the code.',
      }),
    ),
    reason: Type.Enum([...ALARM_REASONS]),
    name: Type.String({ description: 'Name or value that the statement depends on.' }),
    before: CodeLine,
    after: Nullable(CodeLine),
    commit: Type.String(),
    at: DateTime,
  },
  closed('StatementAlarm'),
)

export const Statement = Type.Object(
  {
    id: Type.String({ examples: ['stm_2c26b46b68ffc68ff99b453c'] }),
    page: Type.String({ description: 'File in the docs folder.', examples: ['guides/cli.mdx'] }),
    line: Type.Integer({ minimum: 1 }),
    text: Type.String({ description: 'The sentence, table row, heading or code sample line.' }),
    state: Type.Enum([...STATEMENT_STATES], {
      description:
        '`bound`: the statement names something that the lines in `bindings` define, which does not prove it correct. `in_doubt`: a change may have made it false. `confirmed`: somebody has confirmed it.',
    }),
    since: Nullable(
      Type.String({
        description: 'Commit of the first check that found the lines in `bindings`; null if there are none.',
      }),
    ),
    bindings: Type.Array(Binding),
    alarms: Type.Array(StatementAlarm, { description: 'Changes that are not confirmed.' }),
    confirmed: Nullable(
      Type.Object(
        {
          by: Type.String({
            description: 'Id of the member or key; for a reaction, the user name on the forge.',
            examples: ['maintainer (github)'],
          }),
          ...{ at: DateTime, for: Type.Enum(['change', 'always']) },
        },
        { additionalProperties: false },
      ),
    ),
  },
  closed('Statement'),
)
export type Statement = Static<typeof Statement>

const Check = {
  checkedAt: Nullable(DateTime),
  error: Nullable(
    Type.String({ description: 'Why the last check ended early. The check will be repeated.' }),
  ),
}

export const StatementList = Type.Object(
  {
    ...Check,
    statements: Type.Array(Statement),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  closed('StatementList'),
)
export type StatementList = Static<typeof StatementList>

export const StatementQuery = Type.Object(
  {
    page: Type.Optional(Line(1024, { description: 'File in the docs folder.' })),
    file: Type.Optional(
      Line(2048, {
        description: 'Name of a code repository, a slash, and the path of a file in it.',
        examples: ['api/src/cli.ts'],
      }),
    ),
    state: Type.Optional(Type.Enum([...STATEMENT_STATES])),
    ...PageQuery,
  },
  { additionalProperties: false },
)
export type StatementQuery = Static<typeof StatementQuery>

export const ConfirmStatementBody = Type.Object(
  {
    for: Type.Enum(['change', 'always', 'none'], {
      description:
        '`change`: the next change to the lines raises an alarm again. `always`: later changes raise no alarm. `none`: withdraws the confirmation.',
    }),
  },
  closed('ConfirmStatement'),
)
export type ConfirmStatementBody = Static<typeof ConfirmStatementBody>

const count = Type.Integer({ minimum: 0 })
const counts = { bound: count, confirmed: count, inDoubt: count }
export const MAX_LISTED = 500
export const MAX_TRANSLATIONS = 100

export const StatementSummary = Type.Object(
  {
    ...Check,
    repositories: count,
    pages: Type.Array(
      Type.Object({ page: Type.String(), total: count, ...counts }, { additionalProperties: false }),
      { maxItems: MAX_LISTED, description: 'Most statements in doubt first.' },
    ),
    files: Type.Array(Type.Object({ file: Type.String(), ...counts }, { additionalProperties: false }), {
      maxItems: MAX_LISTED,
      description: 'Most statements in doubt first.',
    }),
    totals: Type.Object(
      { pages: count, files: count, statements: count, ...counts },
      { additionalProperties: false },
    ),
    translations: Type.Array(
      Type.Object({ file: Type.String(), message: Type.String() }, { additionalProperties: false }),
      { maxItems: MAX_TRANSLATIONS, description: 'Translations whose original has changed since.' },
    ),
    hasStatus: Type.Boolean({
      description: 'Whether pull requests in the code repositories get a commit status.',
    }),
  },
  closed('StatementSummary'),
)
export type StatementSummary = Static<typeof StatementSummary>

export const StatementSettings = Type.Object({ hasStatus: Type.Boolean() }, closed('StatementSettings'))

const StatementParams = Type.Object({
  ...ProjectParams.properties,
  statementId: Type.String({ minLength: 1, maxLength: 64 }),
})

export const STATEMENT_OPERATIONS = {
  listStatements: {
    ...PUBLIC_ROW,
    area: 'agent',
    method: 'GET',
    path: '/v1/statements/{projectId}',
    summary: 'List the statements in the docs that are based on code, by page and line',
    params: ProjectParams,
    query: StatementQuery,
    success: { status: 200, schema: StatementList },
  },
  confirmStatement: {
    ...PUBLIC_ROW,
    area: 'agent',
    method: 'POST',
    path: '/v1/statements/{projectId}/{statementId}/confirm',
    summary: 'Confirm that a statement is correct, or withdraw the confirmation',
    audit: 'statement.confirmed',
    params: StatementParams,
    body: ConfirmStatementBody,
    success: { status: 200, schema: Statement },
  },
} as const satisfies Record<string, Operation>

export const STATEMENT_SUMMARY_OPERATIONS = {
  getStatementSummary: {
    ...DASHBOARD_ROW,
    method: 'GET',
    path: '/internal/projects/{projectId}/statements',
    summary: 'Count the statements of a project by page and by code file',
    permission: 'read',
    params: ProjectParams,
    success: { status: 200, schema: StatementSummary },
  },
  updateStatementSettings: {
    ...DASHBOARD_ROW,
    method: 'PATCH',
    path: '/internal/projects/{projectId}/statements',
    summary: 'Update whether pull requests in the code repositories get a commit status',
    permission: 'projects',
    audit: 'project.statements_changed',
    params: ProjectParams,
    body: StatementSettings,
    success: { status: 200, schema: StatementSettings },
  },
} as const satisfies Record<string, DashboardOperation>
