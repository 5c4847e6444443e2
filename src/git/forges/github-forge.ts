/** Pull requests on GitHub and GitHub Enterprise. */
import type { Octokit, RestEndpointMethodTypes } from '@octokit/rest'
import { STATUS_NAME, upsertComment } from './commit-report.ts'
import type { Branches, Forge, PullRequest } from './forge.ts'
import { isAlreadyExistsError } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { callForge, type ForgeFetch, fitText, readPullRequest } from './forge-request.ts'
import { octokitOptions } from './github-client.ts'
import { answerAtGithub, type GithubCaller, type Rest, readGithubComments } from './github-comments.ts'
import { addSeparately, labelExtras, reviewerExtras } from './request-extras.ts'
import { COMMENTS_PER_PAGE } from './review-comments.ts'

type ListedPullRequest = RestEndpointMethodTypes['pulls']['list']['response']['data'][number]
type ShownPullRequest = Pick<
  ListedPullRequest,
  'number' | 'html_url' | 'state' | 'merged_at' | 'title' | 'body'
>

const PAGE_SIZE = 30
const MARK_READY_MUTATION =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { clientMutationId } }'

/** Creates a forge. `getToken` is called before each request, because tokens of apps expire after an hour. */
export function createGithubForge(
  location: ForgeLocation,
  getToken: (signal: AbortSignal) => Promise<string>,
): Forge {
  const [owner = '', repo = ''] = location.path.split('/')

  async function withOctokit<T>(signal: AbortSignal, work: (octokit: Octokit) => Promise<T>) {
    const token = await getToken(signal)
    return await callForge(
      location,
      signal,
      async (fetch) => await work(await openOctokit(location, token, fetch)),
    )
  }
  const withRest = <T>(signal: AbortSignal, work: (rest: Rest) => Promise<T>) =>
    withOctokit(signal, (octokit) => work(octokit.rest))
  const callApi = <T>(signal: AbortSignal, work: (pulls: Rest['pulls']) => Promise<T>) =>
    withRest(signal, (rest) => work(rest.pulls))

  const forge: Forge = {
    kind: 'github',

    async findPullRequest({ branch, target }, signal) {
      const found = await callApi(signal, (pulls) => findNewest(pulls, { owner, repo }, { branch, target }))
      return found && toPullRequest(location, found)
    },

    async createPullRequest({ branch, target, isDraft = false, ...text }, signal) {
      try {
        return await callApi(signal, async (pulls) => {
          const request = { owner, repo, head: branch, base: target, draft: isDraft, ...fitText(text) }
          const { data } = await pulls.create(request)
          return toPullRequest(location, data)
        })
      } catch (error) {
        const existing = isAlreadyExistsError(error)
          ? await forge.findPullRequest({ branch, target }, signal)
          : null
        if (existing?.state === 'open') return existing
        throw error
      }
    },

    async updatePullRequest(id, text, signal) {
      await callApi(signal, (pulls) =>
        pulls.update({ owner, repo, pull_number: Number(id), ...fitText(text) }),
      )
    },

    async markReadyForReview(id, signal) {
      await withOctokit(signal, async (octokit) => {
        const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number: Number(id) })
        // Only possible with the GraphQL API.
        if (data.draft) await octokit.graphql(MARK_READY_MUTATION, { id: data.node_id })
      })
    },

    ...extrasAt(withRest, { owner, repo }),
    ...commentsAt(withRest, { owner, repo }),
    ...reportsAt(withRest, { owner, repo }),
  }
  return forge
}

function extrasAt(
  callApi: <T>(signal: AbortSignal, work: (rest: Rest) => Promise<T>) => Promise<T>,
  at: { owner: string; repo: string },
): Pick<Forge, 'addToPullRequest'> {
  return {
    addToPullRequest: (id, { reviewers, labels }, signal) =>
      addSeparately([
        ...reviewerExtras(reviewers, (reviewerRequest) =>
          callApi(signal, (rest) =>
            rest.pulls.requestReviewers({ ...at, pull_number: Number(id), ...reviewerRequest }),
          ),
        ),
        ...labelExtras(labels, (names) =>
          callApi(signal, (rest) =>
            rest.issues.addLabels({ ...at, issue_number: Number(id), labels: names }),
          ),
        ),
      ]),
  }
}

function commentsAt(
  callApi: <T>(signal: AbortSignal, work: (rest: Rest) => Promise<T>) => Promise<T>,
  at: { owner: string; repo: string },
): Pick<Forge, 'readComments' | 'answerComment'> {
  const callerFor =
    (signal: AbortSignal): GithubCaller =>
    (work) =>
      callApi(signal, work)
  return {
    readComments: (id, signal) => readGithubComments(callerFor(signal), at, Number(id)),
    answerComment: (id, answer, signal) => answerAtGithub(callerFor(signal), at, Number(id), answer),
  }
}

function reportsAt(
  callApi: <T>(signal: AbortSignal, work: (rest: Rest) => Promise<T>) => Promise<T>,
  at: { owner: string; repo: string },
): Pick<Forge, 'setStatus' | 'keepComment'> {
  return {
    async setStatus({ commit: sha, state, description, url }, signal) {
      const status = { state, description, target_url: url, context: STATUS_NAME }
      await callApi(signal, (rest) => rest.repos.createCommitStatus({ ...at, sha, ...status }))
    },
    keepComment: (id, comment, signal) =>
      upsertComment(
        {
          list: (page) =>
            callApi(signal, async (rest) => {
              const of = { ...at, issue_number: Number(id), per_page: COMMENTS_PER_PAGE, page }
              const { data } = await rest.issues.listComments(of)
              return data.map((one) => ({ id: one.id, body: one.body ?? '' }))
            }),
          edit: (comment_id, body) =>
            callApi(signal, (rest) => rest.issues.updateComment({ ...at, comment_id, body })),
          create: (body) =>
            callApi(signal, (rest) => rest.issues.createComment({ ...at, issue_number: Number(id), body })),
        },
        comment,
      ),
  }
}

async function findNewest(
  pulls: Rest['pulls'],
  { owner, repo }: { owner: string; repo: string },
  { branch, target }: Branches,
): Promise<ListedPullRequest | null> {
  for (let page = 1; ; page++) {
    const { data } = await pulls.list({
      owner,
      repo,
      head: `${owner}:${branch}`,
      base: target,
      state: 'all',
      sort: 'created',
      direction: 'desc',
      per_page: PAGE_SIZE,
      page,
    })
    const found = data.find((one) => isBetween(one, { branch, target }))
    if (found) return found
    if (data.length < PAGE_SIZE) return null
  }
}

async function openOctokit(location: ForgeLocation, token: string, fetch: ForgeFetch): Promise<Octokit> {
  const { Octokit } = await import('@octokit/rest')
  return new Octokit({ ...octokitOptions(location, fetch), auth: token })
}

/** Also compares repositories: the owner may have a fork under a different name, which the list's filter includes. */
function isBetween({ head, base }: ListedPullRequest, { branch, target }: Branches): boolean {
  return head.ref === branch && base.ref === target && head.repo?.id === base.repo.id
}

function toPullRequest(
  location: ForgeLocation,
  { number, html_url, state, merged_at, title, body }: ShownPullRequest,
): PullRequest {
  const isOpen = state === 'open'
  return readPullRequest(location, number, html_url, {
    state: merged_at ? 'merged' : isOpen ? 'open' : 'closed',
    text: { title, body: body ?? '' },
  })
}
