/** Review comments on Gitea and Forgejo: on lines, on the pull request, and with a verdict. */
import type { Api, HttpResponse } from 'gitea-js'
import { type ListedComment, type ReviewComments, readPages, sortComments } from './review-comments.ts'

type Repos = Api<unknown>['repos']
/** Runs `work` with a token and returns the response. */
export type AskGitea = <T>(work: (repos: Repos) => Promise<HttpResponse<T, unknown>>) => Promise<T>
type Place = readonly [owner: string, repo: string]

/** Maximum number of reviews whose line comments are read, newest first. */
const MOST_REVIEWS = 30
/** Maximum page size of this forge, whatever is requested. */
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

/** Returns possible assignees, who have write access; querying the permissions of a single user requires an admin. */
async function writersOf(ask: AskGitea, [owner, repo]: Place, count: number): Promise<ReadonlySet<string>> {
  if (count === 0) return new Set()
  const users = await ask((repos) => repos.repoGetAssignees(owner, repo))
  return new Set(users.flatMap(({ login }) => (login ? [login] : [])))
}

/** Answers in the conversation, because this forge's API does not support replies to line comments. */
export async function answerAtGitea(
  ask: AskGitea,
  [owner, repo]: Place,
  number: number,
  { text }: { id: string; text: string },
): Promise<void> {
  await ask((repos) => repos.issueCreateComment(owner, repo, number, { body: text }))
}
