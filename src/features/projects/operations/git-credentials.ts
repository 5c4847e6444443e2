/** Tokens of an organization for git hosts, as set by admins: written once, never read again. */
import { type Static, Type } from 'typebox'
import { DASHBOARD_ROW, type DashboardOperation } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { TrialFinding } from '../../../base/api/trial.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

const Prefix = Line(500, {
  examples: ['github.com/acme'],
  description: 'A host, or what lies below a path of it. Of several that fit the longest counts.',
})
const Token = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'As the forge gave it. Sealed at rest, sent to its own host only, in no answer.',
})

export const GitCredential = Type.Object(
  {
    id: Type.String(),
    prefix: Prefix,
    lastFour: Type.String(),
    createdBy: Type.String({ description: 'Id of the member or key that made it.' }),
    createdAt: DateTime,
    replacedAt: Nullable(DateTime),
    lastUsedAt: Nullable(Type.String({ format: 'date-time', description: 'Right to the minute.' })),
  },
  closed('GitCredential'),
)
export type GitCredential = Static<typeof GitCredential>

export const GitCredentialList = Type.Object(
  { credentials: Type.Array(GitCredential, { description: 'By prefix.' }) },
  closed('GitCredentialList'),
)

export const CreateGitCredentialBody = Type.Object(
  { prefix: Prefix, token: Token },
  closed('CreateGitCredential'),
)
export const ReplaceGitCredentialBody = Type.Object({ token: Token }, closed('ReplaceGitCredential'))
export const GitCredentialParams = Type.Object({
  credentialId: Type.String({ minLength: 1, maxLength: 64 }),
})

export const GitTokenTrial = Type.Object(
  {
    repositories: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'As the forge writes it.' }),
          mayWrite: Nullable(Type.Boolean({ description: 'Null: the forge does not say.' })),
        },
        { additionalProperties: false },
      ),
      { description: 'That the token sees below the prefix, those touched last.' },
    ),
    isPartial: Type.Boolean({ description: 'Whether there may be more than were looked at.' }),
    failure: Nullable(
      Type.Object(
        {
          ...TrialFinding.properties,
          isRefused: Type.Boolean({ description: 'Whether it is the token that the forge refuses.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  closed('GitTokenTrial'),
)
export type GitTokenTrial = Static<typeof GitTokenTrial>

const ROW = { ...DASHBOARD_ROW, permission: 'gitAccess' } as const

export const GIT_CREDENTIAL_OPERATIONS = {
  listGitCredentials: {
    ...ROW,
    method: 'GET',
    path: '/internal/git-credentials',
    summary: 'List the tokens of the organization for git hosts, without their text',
    success: { status: 200, schema: GitCredentialList },
  },
  createGitCredential: {
    ...ROW,
    method: 'POST',
    path: '/internal/git-credentials',
    summary: 'Add a token for a git host',
    audit: 'git_credential.created',
    body: CreateGitCredentialBody,
    success: { status: 201, schema: GitCredential },
  },
  testGitCredential: {
    ...ROW,
    method: 'POST',
    path: '/internal/git-credentials/test',
    summary: 'Ask a forge what a token may do, before it is kept',
    audit: 'git_credential.tested',
    body: CreateGitCredentialBody,
    success: { status: 200, schema: GitTokenTrial },
  },
  replaceGitCredential: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/git-credentials/{credentialId}',
    summary: 'Put another token in the place of one',
    audit: 'git_credential.replaced',
    params: GitCredentialParams,
    body: ReplaceGitCredentialBody,
    success: { status: 200, schema: GitCredential },
  },
  deleteGitCredential: {
    ...ROW,
    method: 'DELETE',
    path: '/internal/git-credentials/{credentialId}',
    summary: 'Delete a token: nothing is sent with it any more',
    audit: 'git_credential.deleted',
    params: GitCredentialParams,
    success: { status: 200, schema: GitCredential },
  },
} as const satisfies Record<string, DashboardOperation>
