/** Pull requests on Gitea and Forgejo. */
import type { PullRequest as GiteaPullRequest } from 'gitea-js'
import { STATUS_NAME, upsertComment } from './commit-report.ts'
import type { Branches, Forge, NewPullRequest, PullRequest, RequestExtras } from './forge.ts'
import { isAlreadyExistsError, refusalStatus, unexpectedAnswerError } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { callForge, type ForgeFetch, fitText, readPullRequest } from './forge-request.ts'
import { answerAtGitea, type GiteaCaller, readGiteaComments } from './gitea-comments.ts'
import { addSeparately, labelExtras, reviewerExtras } from './request-extras.ts'

type Repos = Awaited<ReturnType<typeof openRepos>>

const PAGE_SIZE = 30

export function createGiteaForge(place: ForgeLocation, token: string): Forge {
  const [owner = '', repo = ''] = place.path.split('/')
  const ask = <T>(signal: AbortSignal, work: (repos: Repos) => Promise<T>) =>
    callForge(place, signal, async (fetch) => await work(await openRepos(place, token, fetch)))
  const callerFor =
    (signal: AbortSignal): GiteaCaller =>
    (work) =>
      ask(signal, async (repos) => unwrapData(place, await work(repos)))
  const at = { place, owner, repo, ask }

  const forge: Forge = {
    kind: 'gitea',

    async findPullRequest(branches, signal) {
      const found = await findUnfiltered(at, branches, signal)
      if (found === null || found.state === 'open') return found && toPullRequest(place, found)
      return toPullRequest(place, await findNewest(at, branches, found, signal))
    },

    async createPullRequest({ branch, target, ...text }, signal) {
      try {
        return await ask(signal, async (repos) => {
          const options = { head: branch, base: target, ...draftText(text) }
          return toPullRequest(
            place,
            unwrapData(place, await repos.repoCreatePullRequest(owner, repo, options)),
          )
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
      await ask(signal, async (repos) =>
        unwrapData(place, await repos.repoEditPullRequest(owner, repo, Number(id), fitText(text))),
      )
    },

    addToPullRequest: (id, wanted, signal) =>
      addAtGitea(callerFor(signal), [owner, repo], Number(id), wanted),
    readComments: (id, signal) => readGiteaComments(callerFor(signal), [owner, repo], Number(id)),
    answerComment: (id, answer, signal) =>
      answerAtGitea(callerFor(signal), [owner, repo], Number(id), answer),
    ...reportsAt(callerFor, [owner, repo]),
  }

  return forge
}

async function addAtGitea(
  ask: GiteaCaller,
  [owner, repo]: [owner: string, repo: string],
  number: number,
  { reviewers, labels }: RequestExtras,
): Promise<string[]> {
  return await addSeparately([
    ...reviewerExtras(reviewers, (reviewerRequest) =>
      ask((repos) => repos.repoCreatePullReviewRequests(owner, repo, number, reviewerRequest)),
    ),
    ...labelExtras(labels, (names) =>
      ask((repos) => repos.issueAddLabel(owner, repo, number, { labels: names })),
    ),
  ])
}

function reportsAt(
  callerFor: (signal: AbortSignal) => GiteaCaller,
  at: readonly [owner: string, repo: string],
): Pick<Forge, 'setStatus' | 'keepComment'> {
  return {
    async setStatus({ commit, state, description, url }, signal) {
      const status = { state, description, target_url: url, context: STATUS_NAME }
      await callerFor(signal)((repos) => repos.repoCreateStatus(...at, commit, status))
    },
    keepComment: (id, comment, signal) =>
      upsertComment(
        {
          // All at once: this list is not paginated.
          list: async (page) =>
            page > 1
              ? []
              : (await callerFor(signal)((repos) => repos.issueGetComments(...at, Number(id)))).map(
                  (one) => ({
                    id: one.id ?? 0,
                    body: one.body ?? '',
                  }),
                ),
          edit: (number, body) =>
            callerFor(signal)((repos) => repos.issueEditComment(...at, number, { body })),
          create: (body) =>
            callerFor(signal)((repos) => repos.issueCreateComment(...at, Number(id), { body })),
        },
        comment,
      ),
  }
}

interface GiteaPlace {
  place: ForgeLocation
  owner: string
  repo: string
  ask: <T>(signal: AbortSignal, work: (repos: Repos) => Promise<T>) => Promise<T>
}

/** Finds a pull request by its branches; if there are several, the forge returns an arbitrary one. */
async function findUnfiltered(
  { place, owner, repo, ask }: GiteaPlace,
  { branch, target }: Branches,
  signal: AbortSignal,
): Promise<GiteaPullRequest | null> {
  try {
    return await ask(signal, async (repos) => {
      const head = branch.split('/').map(encodeURIComponent).join('/')
      const answer = await repos.repoGetPullRequestByBaseHead(owner, repo, encodeURIComponent(target), head)
      return unwrapData(place, answer)
    })
  } catch (error) {
    if (refusalStatus(error) !== 404) throw error
    // Either the pull request or the repository does not exist; a second request distinguishes them.
    await ask(signal, async (repos) => unwrapData(place, await repos.repoGet(owner, repo)))
    return null
  }
}

/** Reads the list from its newest end up to the known pull request, because it cannot be filtered by branch. */
async function findNewest(
  { place, owner, repo, ask }: GiteaPlace,
  branches: Branches,
  known: GiteaPullRequest,
  signal: AbortSignal,
): Promise<GiteaPullRequest> {
  return await ask(signal, async (repos) => {
    for (let page = 1; ; page++) {
      const query = { state: 'all', page, limit: PAGE_SIZE } as const
      const listed = unwrapData(place, await repos.repoListPullRequests(owner, repo, query))
      const found = listed.find((one) => one.number === known.number || isBetween(one, branches))
      if (found) return found
      if (listed.length === 0) return known
    }
  })
}

/** Drafts are marked by their title. */
function draftText({ title, body, isDraft = false }: Omit<NewPullRequest, 'branch' | 'target'>) {
  return fitText({ title: isDraft ? `WIP: ${title}` : title, body })
}

async function openRepos(place: ForgeLocation, token: string, fetch: ForgeFetch) {
  const { giteaApi } = await import('gitea-js')
  return giteaApi(place.apiOrigin, { token, customFetch: fetch }).repos
}

/** Returns the data of a response. Throws if there is none, since a non-JSON response does not mean "none exists". */
function unwrapData<T>(place: ForgeLocation, { data }: { data: T | null }): T {
  if (data === null) throw unexpectedAnswerError(place)
  return data
}

/** Compares branches by `label`, because `ref` changes when the branch is deleted. */
function isBetween({ head, base }: GiteaPullRequest, { branch, target }: Branches): boolean {
  return head?.label === branch && base?.label === target && head.repo_id === base.repo_id
}

function toPullRequest(
  place: ForgeLocation,
  { number, html_url, state, merged, title = '', body = '' }: GiteaPullRequest,
): PullRequest {
  if (number === undefined || html_url === undefined) throw unexpectedAnswerError(place)
  return readPullRequest(place, number, html_url, {
    state: merged ? 'merged' : state === 'open' ? 'open' : 'closed',
    text: { title, body: body ?? '' },
  })
}
