/** What reviewers say of a pull request at Gitea and Forgejo: of lines, of the whole, and with a verdict. */
import type { Api, HttpResponse } from 'gitea-js'
import { type ListedComment, type ReviewComments, readPages, sortComments } from './review-comments.ts'

type Repos = Api<unknown>['repos']
/** Runs `work` with a token, and answers what came. */
export type AskGitea = <T>(work: (repos: Repos) => Promise<HttpResponse<T, unknown>>) => Promise<T>
type Place = readonly [owner: string, repo: string]

/** Reviews whose lines are asked for, newest first. */
const MOST_REVIEWS = 30
/** This forge gives no more at once, whatever is asked for. */
const PAGE = 50

export async function readGiteaComments(
  ask: AskGitea,
  [owner, repo]: Place,
  number: number,
): Promise<ReviewComments> {
  const notes = await ask((repos) => repos.issueGetComments(owner, repo, number))
  const all = await readPages(
    (page) => ask((repos) => repos.repoListPullReviews(owner, repo, number, { page, limit: PAGE })),
    PAGE,
  )
  const reviews = all.filter(({ state }) => state !== 'PENDING')
  const lines = []
  for (const { id = 0, comments_count: count = 0 } of reviews.slice(-MOST_REVIEWS))
    if (count > 0)
      lines.push(...(await ask((repos) => repos.repoGetPullReviewComments(owner, repo, number, id))))
  const listed = [
    ...notes.map((one) => ({ ...one, at: one.created_at, name: `note:${one.id}`, path: null, line: null })),
    ...reviews.map((one) => ({
      ...one,
      at: one.submitted_at,
      name: `review:${one.id}`,
      path: null,
      line: null,
    })),
    ...lines.map((one) => ({
      ...one,
      at: one.created_at,
      name: `line:${one.id}`,
      path: one.path ?? null,
      line: one.position || null,
    })),
  ].sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? ''))
  const writers = await writersOf(ask, [owner, repo], listed.length)
  return await sortComments(
    listed.map(({ name, user, path, line, body }): ListedComment => {
      const author = user?.login ?? ''
      return { id: name, author, path, line, text: body ?? '', mayWrite: async () => writers.has(author) }
    }),
  )
}

/** Whoever may be charged with an issue may write; asking for one person's rights takes an admin. */
async function writersOf(ask: AskGitea, [owner, repo]: Place, count: number): Promise<ReadonlySet<string>> {
  if (count === 0) return new Set()
  const users = await ask((repos) => repos.repoGetAssignees(owner, repo))
  return new Set(users.flatMap(({ login }) => (login ? [login] : [])))
}

/** Below the conversation: this forge takes no answer to a line from a program. */
export async function answerAtGitea(
  ask: AskGitea,
  [owner, repo]: Place,
  number: number,
  { text }: { id: string; text: string },
): Promise<void> {
  await ask((repos) => repos.issueCreateComment(owner, repo, number, { body: text }))
}
