/** Merge requests on GitLab. */
import type { Branches, Forge, PullRequest } from './forge.ts'
import { isAlreadyExistsError } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { callForge, type ForgeFetch, fitText, readPullRequest } from './forge-request.ts'
import { answerAtGitlab, type GitlabCaller, readGitlabComments } from './gitlab-comments.ts'
import { addAtGitlab, type ExtrasCaller, type GitlabUsers } from './gitlab-extras.ts'
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

export function createGitlabForge(location: ForgeLocation, token: string): Forge {
  const callApi = <T>(
    signal: AbortSignal,
    work: (requests: Awaited<ReturnType<typeof openMergeRequests>>) => Promise<T>,
  ) =>
    callForge(location, signal, async (fetch) => await work(await openMergeRequests(location, token, fetch)))
  const asking =
    (signal: AbortSignal): GitlabCaller =>
    (work) =>
      callForge(location, signal, async (fetch) => await work(await openComments(location, token, fetch)))

  const forge: Forge = {
    kind: 'gitlab',
    async findPullRequest({ branch, target }, signal) {
      return await callApi(signal, async (requests) => {
        for (let page = 1; ; page++) {
          const listed = (await requests.all({
            projectId: location.path,
            sourceBranch: branch,
            targetBranch: target,
            scope: 'all',
            orderBy: 'created_at',
            sort: 'desc',
            perPage: PAGE_SIZE,
            page,
          })) as unknown as MergeRequest[]
          const found = listed.find((one) => isBetween(one, { branch, target }))
          if (found) return toPullRequest(location, found)
          if (listed.length < PAGE_SIZE) return null
        }
      })
    },

    async createPullRequest({ branch, target, isDraft = false, ...text }, signal) {
      const { title, body } = fitText({ ...text, title: isDraft ? `Draft: ${text.title}` : text.title })
      try {
        return await callApi(signal, async (requests) => {
          const created = await requests.create(location.path, branch, target, title, { description: body })
          return toPullRequest(location, created as unknown as MergeRequest)
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
      const { title, body } = fitText(text)
      await callApi(signal, (requests) =>
        requests.edit(location.path, Number(id), { title, description: body }),
      )
    },

    ...extrasAt(location, token),
    readComments: (id, signal) => readGitlabComments(asking(signal), location.path, Number(id)),
    answerComment: (id, answer, signal) => answerAtGitlab(asking(signal), location.path, Number(id), answer),
    ...reportsAt(location, token),
  }
  return forge
}

async function openMergeRequests(location: ForgeLocation, token: string, fetch: ForgeFetch) {
  const { MergeRequests } = await import('@gitbeaker/rest')
  return new MergeRequests(resourceOptions(location, token, fetch))
}

async function openComments(location: ForgeLocation, token: string, fetch: ForgeFetch) {
  const { MergeRequestDiscussions, ProjectMembers } = await import('@gitbeaker/rest')
  const options = resourceOptions(location, token, fetch)
  return { discussions: new MergeRequestDiscussions(options), members: new ProjectMembers(options) }
}

function extrasAt(location: ForgeLocation, token: string): Pick<Forge, 'addToPullRequest'> {
  return {
    addToPullRequest: (id, wanted, signal) =>
      addAtGitlab(location.path, Number(id), wanted, createExtrasCaller(location, token, signal)),
  }
}

function createExtrasCaller(location: ForgeLocation, token: string, signal: AbortSignal): ExtrasCaller {
  return {
    requests: (work) =>
      callForge(
        location,
        signal,
        async (fetch) => await work(await openMergeRequests(location, token, fetch)),
      ),
    users: (work) =>
      callForge(location, signal, async (fetch) => await work(await openUsers(location, token, fetch))),
  }
}

async function openUsers(location: ForgeLocation, token: string, fetch: ForgeFetch): Promise<GitlabUsers> {
  const { Users } = await import('@gitbeaker/rest')
  return new Users(resourceOptions(location, token, fetch))
}

function reportsAt(location: ForgeLocation, token: string): ReturnType<typeof gitlabReports> {
  return gitlabReports(location.path, (signal, work) =>
    callForge(location, signal, async (fetch) => await work(await openReports(location, token, fetch))),
  )
}

async function openReports(location: ForgeLocation, token: string, fetch: ForgeFetch) {
  const { Commits, MergeRequestNotes } = await import('@gitbeaker/rest')
  const options = resourceOptions(location, token, fetch)
  return { commits: new Commits(options), notes: new MergeRequestNotes(options) }
}

function resourceOptions({ apiOrigin }: ForgeLocation, token: string, fetch: ForgeFetch) {
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
  const isSameProject = one.source_project_id === one.target_project_id
  return isSameProject && one.source_branch === branch && one.target_branch === target
}

function toPullRequest(
  location: ForgeLocation,
  { iid, web_url, state, title, description }: MergeRequest,
): PullRequest {
  const known = state === 'merged' || state === 'closed' ? state : 'open'
  return readPullRequest(location, iid, web_url, { state: known, text: { title, body: description ?? '' } })
}
