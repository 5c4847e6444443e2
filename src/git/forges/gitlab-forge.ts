/** Merge requests on GitLab. */
import type { Branches, Forge, PullRequest } from './forge.ts'
import type { ForgePlace } from './forge-place.ts'
import { saysAlreadyExists } from './forge-refusal.ts'
import { askForge, type ForgeFetch, fitText, readPullRequest } from './forge-request.ts'
import { type AskGitlab, answerAtGitlab, readGitlabComments } from './gitlab-comments.ts'
import { type AskExtras, addAtGitlab, type GitlabUsers } from './gitlab-extras.ts'
import { gitlabReports } from './gitlab-reports.ts'

/** Subset of GitLab's response that is used. */
interface MergeRequest {
  iid: number
  web_url: string
  /** `locked` while it is being merged. */
  state: string
  source_branch: string
  target_branch: string
  source_project_id: number | null
  target_project_id: number
  title: string
  description: string | null
}

const PAGE_SIZE = 30

export function createGitlabForge(place: ForgePlace, token: string): Forge {
  const ask = <T>(
    signal: AbortSignal,
    work: (requests: Awaited<ReturnType<typeof openMergeRequests>>) => Promise<T>,
  ) => askForge(place, signal, async (fetch) => await work(await openMergeRequests(place, token, fetch)))
  const asking =
    (signal: AbortSignal): AskGitlab =>
    (work) =>
      askForge(place, signal, async (fetch) => await work(await openComments(place, token, fetch)))

  const forge: Forge = {
    kind: 'gitlab',
    async findPullRequest({ branch, target }, signal) {
      return await ask(signal, async (requests) => {
        for (let page = 1; ; page++) {
          const listed = (await requests.all({
            projectId: place.path,
            sourceBranch: branch,
            targetBranch: target,
            scope: 'all',
            orderBy: 'created_at',
            sort: 'desc',
            perPage: PAGE_SIZE,
            page,
          })) as unknown as MergeRequest[]
          const found = listed.find((one) => isBetween(one, { branch, target }))
          if (found) return toPullRequest(place, found)
          if (listed.length < PAGE_SIZE) return null
        }
      })
    },

    async createPullRequest({ branch, target, isDraft = false, ...text }, signal) {
      const { title, body } = fitText({ ...text, title: isDraft ? `Draft: ${text.title}` : text.title })
      try {
        return await ask(signal, async (requests) => {
          const made = await requests.create(place.path, branch, target, title, { description: body })
          return toPullRequest(place, made as unknown as MergeRequest)
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
      const { title, body } = fitText(text)
      await ask(signal, (requests) => requests.edit(place.path, Number(id), { title, description: body }))
    },

    ...extrasAt(place, token),
    readComments: (id, signal) => readGitlabComments(asking(signal), place.path, Number(id)),
    answerComment: (id, answer, signal) => answerAtGitlab(asking(signal), place.path, Number(id), answer),
    ...reportsAt(place, token),
  }
  return forge
}

async function openMergeRequests(place: ForgePlace, token: string, fetch: ForgeFetch) {
  const { MergeRequests } = await import('@gitbeaker/rest')
  return new MergeRequests(resourceOptions(place, token, fetch))
}

async function openComments(place: ForgePlace, token: string, fetch: ForgeFetch) {
  const { MergeRequestDiscussions, ProjectMembers } = await import('@gitbeaker/rest')
  const options = resourceOptions(place, token, fetch)
  return { discussions: new MergeRequestDiscussions(options), members: new ProjectMembers(options) }
}

function extrasAt(place: ForgePlace, token: string): Pick<Forge, 'addToPullRequest'> {
  return {
    addToPullRequest: (id, wanted, signal) =>
      addAtGitlab(place.path, Number(id), wanted, asksAt(place, token, signal)),
  }
}

function asksAt(place: ForgePlace, token: string, signal: AbortSignal): AskExtras {
  return {
    requests: (work) =>
      askForge(place, signal, async (fetch) => await work(await openMergeRequests(place, token, fetch))),
    users: (work) =>
      askForge(place, signal, async (fetch) => await work(await openUsers(place, token, fetch))),
  }
}

async function openUsers(place: ForgePlace, token: string, fetch: ForgeFetch): Promise<GitlabUsers> {
  const { Users } = await import('@gitbeaker/rest')
  return new Users(resourceOptions(place, token, fetch))
}

function reportsAt(place: ForgePlace, token: string): ReturnType<typeof gitlabReports> {
  return gitlabReports(place.path, (signal, work) =>
    askForge(place, signal, async (fetch) => await work(await openReports(place, token, fetch))),
  )
}

async function openReports(place: ForgePlace, token: string, fetch: ForgeFetch) {
  const { Commits, MergeRequestNotes } = await import('@gitbeaker/rest')
  const options = resourceOptions(place, token, fetch)
  return { commits: new Commits(options), notes: new MergeRequestNotes(options) }
}

function resourceOptions({ apiOrigin }: ForgePlace, token: string, fetch: ForgeFetch) {
  // Resources of the library have paths relative to their own base URL.
  const requesterFn = ({ url }: { url: string }) => createRequester(url.replace(/\/?$/, '/'), token, fetch)
  return { host: apiOrigin, oauthToken: token, requesterFn }
}

/**
 * Replaces the library's requester, which follows redirects with the token and retries by itself. The token is sent
 * in the header that works for personal, project, group and OAuth tokens.
 */
function createRequester(base: string, token: string, fetch: ForgeFetch) {
  const asking =
    (method: string) =>
    async <T>(
      path: string,
      { searchParams, body }: { searchParams?: Record<string, unknown>; body?: unknown } = {},
    ): Promise<{ body: T; headers: Record<string, string>; status: number }> => {
      const url = new URL(path, base)
      for (const [name, value] of Object.entries(searchParams ?? {})) {
        url.searchParams.set(toSnakeCase(name), String(value))
      }
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(withSnakeCase(body as object)) }),
      })
      const { status } = response
      if (!response.ok) throw new Error(`GitLab answered ${status}`)
      return { body: (await response.json()) as T, headers: Object.fromEntries(response.headers), status }
    }
  return {
    get: asking('GET'),
    post: asking('POST'),
    put: asking('PUT'),
    patch: asking('PATCH'),
    delete: asking('DELETE'),
  }
}

function withSnakeCase(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [toSnakeCase(name), value]))
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Excludes merge requests from forks, which the list includes. */
function isBetween(one: MergeRequest, { branch, target }: Branches): boolean {
  const isOwn = one.source_project_id === one.target_project_id
  return isOwn && one.source_branch === branch && one.target_branch === target
}

function toPullRequest(
  place: ForgePlace,
  { iid, web_url, state, title, description }: MergeRequest,
): PullRequest {
  const known = state === 'merged' || state === 'closed' ? state : 'open'
  return readPullRequest(place, iid, web_url, { state: known, text: { title, body: description ?? '' } })
}
