/** Tokens of an organization for git hosts, set by admins and never returned. */
import { type Static, Type } from 'typebox'
import { DASHBOARD_ROW, type DashboardOperation } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { TrialFinding } from '../../../base/api/trial.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

const Prefix = Line(500, {
  examples: ['github.com/acme'],
  description: 'A host, optionally with a path. The longest matching prefix applies.',
})
const Token = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'Token issued by the forge. Encrypted at rest, sent only to its host, and never returned.',
})

export const GitCredential = Type.Object(
  {
    id: Type.String(),
    prefix: Prefix,
    lastFour: Type.String(),
    createdBy: Type.String({ description: 'ID of the member or key that created it.' }),
    createdAt: DateTime,
    replacedAt: Nullable(DateTime),
    lastUsedAt: Nullable(Type.String({ format: 'date-time', description: 'Accurate to the minute.' })),
  },
  closedObject('GitCredential'),
)
export type GitCredential = Static<typeof GitCredential>

export const GitCredentialList = Type.Object(
  { credentials: Type.Array(GitCredential, { description: 'Sorted by prefix.' }) },
  closedObject('GitCredentialList'),
)

export const CreateGitCredentialBody = Type.Object(
  { prefix: Prefix, token: Token },
  closedObject('CreateGitCredential'),
)
export const ReplaceGitCredentialBody = Type.Object({ token: Token }, closedObject('ReplaceGitCredential'))
export const GitCredentialParams = Type.Object({
  credentialId: Type.String({ minLength: 1, maxLength: 64 }),
})

export const GitTokenTrial = Type.Object(
  {
    repositories: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Full name of the repository on the forge.' }),
          mayWrite: Nullable(Type.Boolean({ description: 'Null: not reported by the forge.' })),
        },
        { additionalProperties: false },
      ),
      { description: 'Repositories below the prefix that the token can see, most recently updated first.' },
    ),
    isPartial: Type.Boolean({ description: 'Whether there may be more repositories than were checked.' }),
    failure: Nullable(
      Type.Object(
        {
          ...TrialFinding.properties,
          isRefused: Type.Boolean({ description: 'Whether the forge rejected the token.' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  closedObject('GitTokenTrial'),
)
export type GitTokenTrial = Static<typeof GitTokenTrial>

const ROW = { ...DASHBOARD_ROW, permission: 'gitAccess' } as const

export const GIT_CREDENTIAL_OPERATIONS = {
  listGitCredentials: {
    ...ROW,
    method: 'GET',
    path: '/internal/git-credentials',
    summary: "List the organization's tokens for git hosts, without the tokens themselves",
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
    summary: 'Test the permissions of a token before it is saved',
    audit: 'git_credential.tested',
    body: CreateGitCredentialBody,
    success: { status: 200, schema: GitTokenTrial },
  },
  replaceGitCredential: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/git-credentials/{credentialId}',
    summary: 'Replace a token',
    audit: 'git_credential.replaced',
    params: GitCredentialParams,
    body: ReplaceGitCredentialBody,
    success: { status: 200, schema: GitCredential },
  },
  deleteGitCredential: {
    ...ROW,
    method: 'DELETE',
    path: '/internal/git-credentials/{credentialId}',
    summary: 'Delete a token, so that it is no longer used',
    audit: 'git_credential.deleted',
    params: GitCredentialParams,
    success: { status: 200, schema: GitCredential },
  },
} as const satisfies Record<string, DashboardOperation>
