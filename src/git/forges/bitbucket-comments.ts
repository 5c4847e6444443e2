/** Reads review comments of a pull request at Bitbucket, on lines and on the whole, each in its thread. */
import type { BitbucketCaller, BitbucketComment } from './bitbucket-reports.ts'
import { refusalStatus } from './forge-errors.ts'
import {
  COMMENTS_PER_PAGE,
  type ListedComment,
  type ReviewComments,
  readPages,
  sortComments,
} from './review-comments.ts'

const WRITERS = new Set(['admin', 'write'])

export async function readBitbucketComments(
  ask: BitbucketCaller,
  repository: string,
  id: string,
  signal: AbortSignal,
): Promise<ReviewComments> {
  const comments = await readList<BitbucketComment>(ask, `pullrequests/${id}/comments`, signal)
  const said = comments.filter(
    ({ deleted, pending, user }) => deleted !== true && pending !== true && user?.type === 'user',
  )
  const writers = said.length === 0 ? new Set<string>() : await writersOf(ask, repository, signal)
  return await sortComments(
    said.map((one): ListedComment => {
      const { uuid = '', nickname, display_name: name = '' } = one.user ?? {}
      return {
        id: `note:${one.id}`,
        author: nickname ?? name,
        authorId: uuid,
        path: one.inline?.path ?? null,
        line: one.inline?.to ?? null,
        text: one.content?.raw ?? '',
        mayWrite: async () => writers.has(uuid),
      }
    }),
  )
}

interface Permission {
  permission: string
  user: { uuid: string }
}

/** Nobody where the token may not ask who may write, which takes an admin of the repository. */
async function writersOf(
  ask: BitbucketCaller,
  repository: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const [workspace = '', name = ''] = repository.split('/')
  const path = `/workspaces/${workspace}/permissions/repositories/${name}`
  try {
    const permissions = await readList<Permission>(ask, path, signal)
    return new Set(
      permissions.filter(({ permission }) => WRITERS.has(permission)).map(({ user }) => user.uuid),
    )
  } catch (error) {
    if ([401, 403, 404].includes(refusalStatus(error) ?? 0)) return new Set()
    throw error
  }
}

async function readList<T>(ask: BitbucketCaller, path: string, signal: AbortSignal): Promise<T[]> {
  return await readPages((page) =>
    ask(signal, {
      path,
      query: [
        ['pagelen', String(COMMENTS_PER_PAGE)],
        ['page', String(page)],
      ],
      read: (answer) => (answer as { values: T[] }).values,
    }),
  )
}

/** In the thread of the comment. */
export async function answerAtBitbucket(
  ask: BitbucketCaller,
  id: string,
  comment: { id: string; text: string },
  signal: AbortSignal,
): Promise<void> {
  const [, number] = comment.id.split(':')
  const body = { content: { raw: comment.text }, parent: { id: Number(number) } }
  await ask(signal, { method: 'POST', path: `pullrequests/${id}/comments`, body, read: () => undefined })
}
