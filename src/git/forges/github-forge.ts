/** Pull requests on GitHub and GitHub Enterprise. */
import type { Octokit, RestEndpointMethodTypes } from '@octokit/rest'
import { keepOneComment, STATUS_NAME } from './commit-report.ts'
import type { Branches, Forge, PullRequest } from './forge.ts'
import type { ForgePlace } from './forge-place.ts'
import { saysAlreadyExists } from './forge-refusal.ts'
import { askForge, type ForgeFetch, fitText, readPullRequest } from './forge-request.ts'
import { octokitOptions } from './github-client.ts'
import { type AskGithub, answerAtGithub, type Rest, readGithubComments } from './github-comments.ts'
import { labelParts, partByPart, reviewerParts } from './request-extras.ts'
import { COMMENTS_OF_PAGE } from './review-comments.ts'

type ListedPullRequest = RestEndpointMethodTypes['pulls']['list']['response']['data'][number]
type ShownPullRequest = Pick<
  ListedPullRequest,
  'number' | 'html_url' | 'state' | 'merged_at' | 'title' | 'body'
>

const PAGE_SIZE = 30
const END_DRAFT =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { clientMutationId } }'

/** Creates a forge. `getToken` is called before each request, because tokens of apps expire after an hour. */
export function createGithubForge(
  place: ForgePlace,
  getToken: (signal: AbortSignal) => Promise<string>,
): Forge {
  const [owner = '', repo = ''] = place.path.split('/')

  async function askAll<T>(signal: AbortSignal, work: (octokit: Octokit) => Promise<T>) {
    const token = await getToken(signal)
    return await askForge(place, signal, async (fetch) => await work(await openOctokit(place, token, fetch)))
  }
  const askRest = <T>(signal: AbortSignal, work: (rest: Rest) => Promise<T>) =>
    askAll(signal, (octokit) => work(octokit.rest))
  const ask = <T>(signal: AbortSignal, work: (pulls: Rest['pulls']) => Promise<T>) =>
    askRest(signal, (rest) => work(rest.pulls))

  const forge: Forge = {
    kind: 'github',

    async findPullRequest({ branch, target }, signal) {
      const found = await ask(signal, (pulls) => findNewest(pulls, { owner, repo }, { branch, target }))
      return found && toPullRequest(place, found)
    },

    async createPullRequest({ branch, target, isDraft = false, ...text }, signal) {
      try {
        return await ask(signal, async (pulls) => {
          const request = { owner, repo, head: branch, base: target, draft: isDraft, ...fitText(text) }
          const { data } = await pulls.create(request)
          return toPullRequest(place, data)
        })
      } catch (error) {
        const existing = saysAlreadyExists(error)
          ? await forge.findPullRequest({ branch, target }, signal)
          : null
        if (existing?.state === 'open') return existing
        throw error
      }
    },

    async updatePullRequest(id, text, signal) {
      await ask(signal, (pulls) => pulls.update({ owner, repo, pull_number: Number(id), ...fitText(text) }))
    },

    async endDraft(id, signal) {
      await askAll(signal, async (octokit) => {
        const { data } = await octokit.rest.pulls.get({ owner, repo, pull_number: Number(id) })
        // Only possible with the GraphQL API.
        if (data.draft) await octokit.graphql(END_DRAFT, { id: data.node_id })
      })
    },

    ...extrasAt(askRest, { owner, repo }),
    ...commentsAt(askRest, { owner, repo }),
    ...reportsAt(askRest, { owner, repo }),
  }
  return forge
}

function extrasAt(
  ask: <T>(signal: AbortSignal, work: (rest: Rest) => Promise<T>) => Promise<T>,
  at: { owner: string; repo: string },
): Pick<Forge, 'addToPullRequest'> {
  return {
    addToPullRequest: (id, { reviewers, labels }, signal) =>
      partByPart([
        ...reviewerParts(reviewers, (whom) =>
          ask(signal, (rest) => rest.pulls.requestReviewers({ ...at, pull_number: Number(id), ...whom })),
        ),
        ...labelParts(labels, (names) =>
          ask(signal, (rest) => rest.issues.addLabels({ ...at, issue_number: Number(id), labels: names })),
        ),
      ]),
  }
}

function commentsAt(
  ask: <T>(signal: AbortSignal, work: (rest: Rest) => Promise<T>) => Promise<T>,
  at: { owner: string; repo: string },
): Pick<Forge, 'readComments' | 'answerComment'> {
  const asking =
    (signal: AbortSignal): AskGithub =>
    (work) =>
      ask(signal, work)
  return {
    readComments: (id, signal) => readGithubComments(asking(signal), at, Number(id)),
    answerComment: (id, answer, signal) => answerAtGithub(asking(signal), at, Number(id), answer),
  }
}

function reportsAt(
  ask: <T>(signal: AbortSignal, work: (rest: Rest) => Promise<T>) => Promise<T>,
  at: { owner: string; repo: string },
): Pick<Forge, 'setStatus' | 'keepComment'> {
  return {
    async setStatus({ commit: sha, state, description, url }, signal) {
      const status = { state, description, target_url: url, context: STATUS_NAME }
      await ask(signal, (rest) => rest.repos.createCommitStatus({ ...at, sha, ...status }))
    },
    keepComment: (id, comment, signal) =>
      keepOneComment(
        {
          list: (page) =>
            ask(signal, async (rest) => {
              const of = { ...at, issue_number: Number(id), per_page: COMMENTS_OF_PAGE, page }
              const { data } = await rest.issues.listComments(of)
              return data.map((one) => ({ id: one.id, body: one.body ?? '' }))
            }),
          edit: (comment_id, body) =>
            ask(signal, (rest) => rest.issues.updateComment({ ...at, comment_id, body })),
          create: (body) =>
            ask(signal, (rest) => rest.issues.createComment({ ...at, issue_number: Number(id), body })),
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

async function openOctokit(place: ForgePlace, token: string, fetch: ForgeFetch): Promise<Octokit> {
  const { Octokit } = await import('@octokit/rest')
  return new Octokit({ ...octokitOptions(place, fetch), auth: token })
}

/** Also compares repositories: the owner may have a fork under a different name, which the list's filter includes. */
function isBetween({ head, base }: ListedPullRequest, { branch, target }: Branches): boolean {
  return head.ref === branch && base.ref === target && head.repo?.id === base.repo.id
}

function toPullRequest(
  place: ForgePlace,
  { number, html_url, state, merged_at, title, body }: ShownPullRequest,
): PullRequest {
  const isOpen = state === 'open'
  return readPullRequest(place, number, html_url, {
    state: merged_at ? 'merged' : isOpen ? 'open' : 'closed',
    text: { title, body: body ?? '' },
  })
}
