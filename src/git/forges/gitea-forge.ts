/** Pull requests at Gitea and Forgejo. */
import type { PullRequest as GiteaPullRequest } from 'gitea-js'
import { keepOneComment, STATUS_NAME } from './commit-report.ts'
import type { Branches, Forge, NewPullRequest, PullRequest, RequestExtras } from './forge.ts'
import type { ForgePlace } from './forge-place.ts'
import { notUnderstood, refusedWith, saysAlreadyExists } from './forge-refusal.ts'
import { askForge, type ForgeFetch, fitText, readPullRequest } from './forge-request.ts'
import { type AskGitea, answerAtGitea, readGiteaComments } from './gitea-comments.ts'
import { labelParts, partByPart, reviewerParts } from './request-extras.ts'

type Repos = Awaited<ReturnType<typeof openRepos>>

const PAGE_SIZE = 30

export function createGiteaForge(place: ForgePlace, token: string): Forge {
  const [owner = '', repo = ''] = place.path.split('/')
  const ask = <T>(signal: AbortSignal, work: (repos: Repos) => Promise<T>) =>
    askForge(place, signal, async (fetch) => await work(await openRepos(place, token, fetch)))
  const asking =
    (signal: AbortSignal): AskGitea =>
    (work) =>
      ask(signal, async (repos) => dataOf(place, await work(repos)))
  const at = { place, owner, repo, ask }

  const forge: Forge = {
    kind: 'gitea',

    async findPullRequest(branches, signal) {
      const found = await findAny(at, branches, signal)
      if (found === null || found.state === 'open') return found && toPullRequest(place, found)
      return toPullRequest(place, await findNewest(at, branches, found, signal))
    },

    async createPullRequest({ branch, target, ...text }, signal) {
      try {
        return await ask(signal, async (repos) => {
          const options = { head: branch, base: target, ...draftText(text) }
          return toPullRequest(place, dataOf(place, await repos.repoCreatePullRequest(owner, repo, options)))
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
      await ask(signal, async (repos) =>
        dataOf(place, await repos.repoEditPullRequest(owner, repo, Number(id), fitText(text))),
      )
    },

    addToPullRequest: (id, wanted, signal) => addAtGitea(asking(signal), [owner, repo], Number(id), wanted),
    readComments: (id, signal) => readGiteaComments(asking(signal), [owner, repo], Number(id)),
    answerComment: (id, answer, signal) => answerAtGitea(asking(signal), [owner, repo], Number(id), answer),
    ...reportsAt(asking, [owner, repo]),
  }

  return forge
}

async function addAtGitea(
  ask: AskGitea,
  [owner, repo]: [owner: string, repo: string],
  number: number,
  { reviewers, labels }: RequestExtras,
): Promise<string[]> {
  return await partByPart([
    ...reviewerParts(reviewers, (whom) =>
      ask((repos) => repos.repoCreatePullReviewRequests(owner, repo, number, whom)),
    ),
    ...labelParts(labels, (names) =>
      ask((repos) => repos.issueAddLabel(owner, repo, number, { labels: names })),
    ),
  ])
}

function reportsAt(
  asking: (signal: AbortSignal) => AskGitea,
  at: readonly [owner: string, repo: string],
): Pick<Forge, 'setStatus' | 'keepComment'> {
  return {
    async setStatus({ commit, state, description, url }, signal) {
      const status = { state, description, target_url: url, context: STATUS_NAME }
      await asking(signal)((repos) => repos.repoCreateStatus(...at, commit, status))
    },
    keepComment: (id, comment, signal) =>
      keepOneComment(
        {
          // All of them at once: this list has no pages.
          list: async (page) =>
            page > 1
              ? []
              : (await asking(signal)((repos) => repos.issueGetComments(...at, Number(id)))).map((one) => ({
                  id: one.id ?? 0,
                  body: one.body ?? '',
                })),
          edit: (number, body) => asking(signal)((repos) => repos.issueEditComment(...at, number, { body })),
          create: (body) => asking(signal)((repos) => repos.issueCreateComment(...at, Number(id), { body })),
        },
        comment,
      ),
  }
}

interface GiteaPlace {
  place: ForgePlace
  owner: string
  repo: string
  ask: <T>(signal: AbortSignal, work: (repos: Repos) => Promise<T>) => Promise<T>
}

/** The forge knows requests by their branches, but of several it gives any one. */
async function findAny(
  { place, owner, repo, ask }: GiteaPlace,
  { branch, target }: Branches,
  signal: AbortSignal,
): Promise<GiteaPullRequest | null> {
  try {
    return await ask(signal, async (repos) => {
      const head = branch.split('/').map(encodeURIComponent).join('/')
      const answer = await repos.repoGetPullRequestByBaseHead(owner, repo, encodeURIComponent(target), head)
      return dataOf(place, answer)
    })
  } catch (error) {
    if (refusedWith(error) !== 404) throw error
    // There is no such request, or no such repository: the second question tells.
    await ask(signal, async (repos) => dataOf(place, await repos.repoGet(owner, repo)))
    return null
  }
}

/** The list has no filter for the branch: it is read from its newest end, no further than what is known. */
async function findNewest(
  { place, owner, repo, ask }: GiteaPlace,
  branches: Branches,
  known: GiteaPullRequest,
  signal: AbortSignal,
): Promise<GiteaPullRequest> {
  return await ask(signal, async (repos) => {
    for (let page = 1; ; page++) {
      const query = { state: 'all', page, limit: PAGE_SIZE } as const
      const listed = dataOf(place, await repos.repoListPullRequests(owner, repo, query))
      const found = listed.find((one) => one.number === known.number || isBetween(one, branches))
      if (found) return found
      if (listed.length === 0) return known
    }
  })
}

/** A draft is a request whose title says so. */
function draftText({ title, body, isDraft = false }: Omit<NewPullRequest, 'branch' | 'target'>) {
  return fitText({ title: isDraft ? `WIP: ${title}` : title, body })
}

async function openRepos(place: ForgePlace, token: string, fetch: ForgeFetch) {
  const { giteaApi } = await import('gitea-js')
  return giteaApi(place.apiOrigin, { token, customFetch: fetch }).repos
}

/** An answer that is no JSON comes through the library as one without data, which must not pass for "there is none". */
function dataOf<T>(place: ForgePlace, { data }: { data: T | null }): T {
  if (data === null) throw notUnderstood(place)
  return data
}

/** `ref` is another one once the branch is deleted; `label` stays its name. */
function isBetween({ head, base }: GiteaPullRequest, { branch, target }: Branches): boolean {
  return head?.label === branch && base?.label === target && head.repo_id === base.repo_id
}

function toPullRequest(
  place: ForgePlace,
  { number, html_url, state, merged, title = '', body = '' }: GiteaPullRequest,
): PullRequest {
  if (number === undefined || html_url === undefined) throw notUnderstood(place)
  return readPullRequest(place, number, html_url, {
    state: merged ? 'merged' : state === 'open' ? 'open' : 'closed',
    text: { title, body: body ?? '' },
  })
}
