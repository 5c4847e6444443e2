/** The key that signs the commits of a project. The server creates and stores it, so that nobody has to handle it. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

const CommitKey = Type.Object(
  {
    publicKey: Type.String({
      description: 'In OpenSSH format. Add it to the committing account on the forge as a signing key.',
      examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample'],
    }),
    fingerprint: Type.String({ examples: ['SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8'] }),
    madeBy: Nullable(
      Type.String({ description: 'ID of the API key or member that created the commit key.' }),
    ),
    createdAt: DateTime,
  },
  closedObject('CommitKey'),
)
export type CommitKey = Static<typeof CommitKey>

const CommitKeyResponse = Type.Object({ commitKey: Nullable(CommitKey) }, closedObject('ProjectCommitKey'))

const PATH = '/v2/agent/{projectId}/commit-key'
const ROW = {
  ...PUBLIC_ROW,
  area: 'agent',
  path: PATH,
  params: Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) }),
  success: { status: 200, schema: CommitKeyResponse },
} as const

export const COMMIT_KEY_OPERATIONS = {
  getCommitKey: {
    ...ROW,
    method: 'GET',
    summary: 'Get the public key that verifies commits of a project',
  },
  makeCommitKey: {
    ...ROW,
    needs: 'projects',
    method: 'POST',
    summary: 'Create or replace the key that signs the commits of a project',
    audit: 'commit_key.made',
  },
  removeCommitKey: {
    ...ROW,
    needs: 'projects',
    method: 'DELETE',
    summary: 'Remove the commit signing key of a project; later commits are unsigned',
    audit: 'commit_key.removed',
  },
} as const satisfies Record<string, Operation>
