/** Review comments on GitHub: on lines, on the pull request, and with a verdict. */
import type { Octokit } from '@octokit/rest'
import { nullWhenMissing } from './forge-refusal.ts'
import {
  COMMENTS_OF_PAGE,
  type ListedComment,
  type ReviewComments,
  readPages,
  sortComments,
} from './review-comments.ts'

export type Rest = Octokit['rest']
/** Runs `work` with a token; each call may fail separately. */
export type AskGithub = <T>(work: (rest: Rest) => Promise<T>) => Promise<T>
type Place = { owner: string; repo: string }

/** GitHub's author associations that may have write access; members of the organization may still be read-only. */
const NEAR = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])
const WRITERS = new Set(['admin', 'write'])

export async function readGithubComments(ask: AskGithub, at: Place, number: number): Promise<ReviewComments> {
  const of = { ...at, pull_number: number, per_page: COMMENTS_OF_PAGE }
  const lines = await readPages((page) =>
    ask(async (rest) => (await rest.pulls.listReviewComments({ ...of, page })).data),
  )
  const reviews = await readPages((page) =>
    ask(async (rest) => (await rest.pulls.listReviews({ ...of, page })).data),
  )
  const { pull_number, ...all } = of
  const notes = await readPages((page) =>
    ask(async (rest) => (await rest.issues.listComments({ ...all, issue_number: pull_number, page })).data),
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
      const mayWrite = async () => NEAR.has(association ?? '') && (await isWriter(ask, at, author))
      return { id, author, path, line, text: body ?? '', mayWrite }
    }),
  )
}

async function isWriter(ask: AskGithub, at: Place, username: string): Promise<boolean> {
  const asked = ask((rest) => rest.repos.getCollaboratorPermissionLevel({ ...at, username }))
  const known = await nullWhenMissing(asked)
  return known !== null && WRITERS.has(known.data.permission)
}

/** Answers in the thread of a line, otherwise in the conversation. */
export async function answerAtGithub(
  ask: AskGithub,
  at: Place,
  number: number,
  comment: { id: string; text: string },
): Promise<void> {
  const [kind, id] = comment.id.split(':')
  const body = comment.text
  if (kind === 'line') {
    const to = { ...at, pull_number: number, comment_id: Number(id), body }
    await ask((rest) => rest.pulls.createReplyForReviewComment(to))
  } else await ask((rest) => rest.issues.createComment({ ...at, issue_number: number, body }))
}
