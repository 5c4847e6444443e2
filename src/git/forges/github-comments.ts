/** Review comments on GitHub: on lines, on the pull request, and with a verdict. */
import type { Octokit } from '@octokit/rest'
import { nullIfNotFound } from './forge-errors.ts'
import {
  COMMENTS_PER_PAGE,
  type ListedComment,
  type ReviewComments,
  readPages,
  sortComments,
} from './review-comments.ts'

export type Rest = Octokit['rest']
/** Runs `work` with a token; each call may fail separately. */
export type GithubCaller = <T>(work: (rest: Rest) => Promise<T>) => Promise<T>
type RepositoryId = { owner: string; repo: string }

/** GitHub's author associations that may have write access; members of the organization may still be read-only. */
const INSIDER_ASSOCIATIONS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])
const WRITERS = new Set(['admin', 'write'])

export async function readGithubComments(
  callApi: GithubCaller,
  at: RepositoryId,
  number: number,
): Promise<ReviewComments> {
  const of = { ...at, pull_number: number, per_page: COMMENTS_PER_PAGE }
  const lines = await readPages((page) =>
    callApi(async (rest) => (await rest.pulls.listReviewComments({ ...of, page })).data),
  )
  const reviews = await readPages((page) =>
    callApi(async (rest) => (await rest.pulls.listReviews({ ...of, page })).data),
  )
  const { pull_number, ...all } = of
  const notes = await readPages((page) =>
    callApi(
      async (rest) => (await rest.issues.listComments({ ...all, issue_number: pull_number, page })).data,
    ),
  )
  const listed = [
    ...lines.map((one) => ({ ...one, at: one.created_at, id: `line:${one.id}`, line: one.line ?? null })),
    ...reviews
      .filter(({ state }) => state !== 'PENDING')
      .map((one) => ({ ...one, at: one.submitted_at ?? '', id: `review:${one.id}`, path: null, line: null })),
    ...notes.map((one) => ({ ...one, at: one.created_at, id: `note:${one.id}`, path: null, line: null })),
  ]
    .filter(({ user }) => user?.type === 'User')
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return await sortComments(
    listed.map(({ id, user, body, path, line, author_association: association }): ListedComment => {
      const author = user?.login ?? ''
      const mayWrite = async () =>
        INSIDER_ASSOCIATIONS.has(association ?? '') && (await isWriter(callApi, at, author))
      return { id, author, path, line, text: body ?? '', mayWrite }
    }),
  )
}

async function isWriter(callApi: GithubCaller, at: RepositoryId, username: string): Promise<boolean> {
  const permissionRequest = callApi((rest) => rest.repos.getCollaboratorPermissionLevel({ ...at, username }))
  const known = await nullIfNotFound(permissionRequest)
  return known !== null && WRITERS.has(known.data.permission)
}

/** Answers in the thread of a line, otherwise in the conversation. */
export async function answerAtGithub(
  callApi: GithubCaller,
  at: RepositoryId,
  number: number,
  comment: { id: string; text: string },
): Promise<void> {
  const [kind, id] = comment.id.split(':')
  const body = comment.text
  if (kind === 'line') {
    const to = { ...at, pull_number: number, comment_id: Number(id), body }
    await callApi((rest) => rest.pulls.createReplyForReviewComment(to))
  } else await callApi((rest) => rest.issues.createComment({ ...at, issue_number: number, body }))
}
