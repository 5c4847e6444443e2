/** Review comments on Gitea and Forgejo: on lines, on the pull request, and with a verdict. */
import type { Api, HttpResponse } from 'gitea-js'
import { type ListedComment, type ReviewComments, readPages, sortComments } from './review-comments.ts'

type Repos = Api<unknown>['repos']
/** Runs `work` with a token and returns the response. */
export type GiteaCaller = <T>(work: (repos: Repos) => Promise<HttpResponse<T, unknown>>) => Promise<T>
type RepositoryTuple = readonly [owner: string, repo: string]

/** Maximum number of reviews whose line comments are read, newest first. */
const MAX_REVIEWS = 30
/** Maximum page size of this forge, whatever is requested. */
const PAGE = 50

export async function readGiteaComments(
  callApi: GiteaCaller,
  [owner, repo]: RepositoryTuple,
  number: number,
): Promise<ReviewComments> {
  const notes = await callApi((repos) => repos.issueGetComments(owner, repo, number))
  const all = await readPages(
    (page) => callApi((repos) => repos.repoListPullReviews(owner, repo, number, { page, limit: PAGE })),
    PAGE,
  )
  const reviews = all.filter(({ state }) => state !== 'PENDING')
  const lineComments = []
  for (const { id = 0, comments_count: count = 0 } of reviews.slice(-MAX_REVIEWS))
    if (count > 0)
      lineComments.push(
        ...(await callApi((repos) => repos.repoGetPullReviewComments(owner, repo, number, id))),
      )
  const listed = [
    ...notes.map((one) => ({ ...one, at: one.created_at, name: `note:${one.id}`, path: null, line: null })),
    ...reviews.map((one) => ({
      ...one,
      at: one.submitted_at,
      name: `review:${one.id}`,
      path: null,
      line: null,
    })),
    ...lineComments.map((one) => ({
      ...one,
      at: one.created_at,
      name: `line:${one.id}`,
      path: one.path ?? null,
      line: one.position || null,
    })),
  ].sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? ''))
  const writers = await findWriters(callApi, [owner, repo], listed.length)
  return await sortComments(
    listed.map(({ name, user, path, line, body }): ListedComment => {
      const author = user?.login ?? ''
      return { id: name, author, path, line, text: body ?? '', mayWrite: async () => writers.has(author) }
    }),
  )
}

/** Returns possible assignees, who have write access; querying the permissions of a single user requires an admin. */
async function findWriters(
  callApi: GiteaCaller,
  [owner, repo]: RepositoryTuple,
  count: number,
): Promise<ReadonlySet<string>> {
  if (count === 0) return new Set()
  const users = await callApi((repos) => repos.repoGetAssignees(owner, repo))
  return new Set(users.flatMap(({ login }) => (login ? [login] : [])))
}

/** Answers in the conversation, because this forge's API does not support replies to line comments. */
export async function answerAtGitea(
  callApi: GiteaCaller,
  [owner, repo]: RepositoryTuple,
  number: number,
  { text }: { id: string; text: string },
): Promise<void> {
  await callApi((repos) => repos.issueCreateComment(owner, repo, number, { body: text }))
}
