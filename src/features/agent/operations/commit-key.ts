/** The key that signs the commits of a project: made and kept by the server, so that nobody carries it anywhere. */
import { type Static, Type } from 'typebox'
import { type Operation, PUBLIC_ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

const CommitKey = Type.Object(
  {
    publicKey: Type.String({
      description:
        'In the format of OpenSSH; the forge is shown it as a signing key of the committing account.',
      examples: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample'],
    }),
    fingerprint: Type.String({ examples: ['SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8'] }),
    madeBy: Nullable(Type.String({ description: 'Id of the key or member.' })),
    createdAt: DateTime,
  },
  closed('CommitKey'),
)
export type CommitKey = Static<typeof CommitKey>

const CommitKeyAnswer = Type.Object({ commitKey: Nullable(CommitKey) }, closed('ProjectCommitKey'))

const PATH = '/v2/agent/{projectId}/commit-key'
const ROW = {
  ...PUBLIC_ROW,
  area: 'agent',
  path: PATH,
  params: Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 64 }) }),
  success: { status: 200, schema: CommitKeyAnswer },
} as const

export const COMMIT_KEY_OPERATIONS = {
  getCommitKey: {
    ...ROW,
    method: 'GET',
    summary: 'Get the public part of the key that signs the commits of a project',
  },
  makeCommitKey: {
    ...ROW,
    needs: 'projects',
    method: 'POST',
    summary: 'Make a key that signs the commits of a project, in place of the one that there is',
    audit: 'commit_key.made',
  },
  removeCommitKey: {
    ...ROW,
    needs: 'projects',
    method: 'DELETE',
    summary: 'Remove the key that signs the commits of a project; later commits are not signed',
    audit: 'commit_key.removed',
  },
} as const satisfies Record<string, Operation>
