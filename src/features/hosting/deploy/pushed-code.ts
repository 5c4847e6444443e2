/** Pushes to the repositories of code that a project has beside its docs: which one, and whether what is read of it moved. */
import type { Tx } from '../../../database/database.ts'
import { endsIn, repositoryName } from '../previews/pull-request-message.ts'
import { pushedBranches } from './push-message.ts'

export interface PushedCode {
  /** The message is about one of them. */
  isNamed: boolean
  /** Names of those of which the push may have moved what is read. */
  moved: string[]
}

/** What the message says is looked up before anything comes of it, so that a name that looks right is enough. */
export async function pushedCode(tx: Tx, projectId: string, message: unknown): Promise<PushedCode> {
  const told = repositoryName(message)
  if (told === null) return { isNamed: false, moved: [] }
  const rows = await tx
    .selectFrom('code_repositories')
    .select(['name', 'repository', 'ref'])
    .where('project_id', '=', projectId)
    .execute()
  const named = rows.filter(({ repository }) => endsIn(repository, told))
  const branches = pushedBranches(message)
  const isMoved = (ref: string | null) => {
    const read = ref?.replace(/^refs\/heads\//, '') ?? defaultBranch(message)
    return branches.length > 0 && (read === null || branches.includes(read))
  }
  return {
    isNamed: named.length > 0,
    moved: named.filter(({ ref }) => isMoved(ref)).map(({ name }) => name),
  }
}

/** Bitbucket does not say. */
function defaultBranch(message: unknown): string | null {
  const { project, repository } = fields(message)
  const name = fields(project).default_branch ?? fields(repository).default_branch
  return typeof name === 'string' && name !== '' ? name : null
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
