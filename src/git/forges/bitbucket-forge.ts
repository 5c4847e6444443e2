/** Pull requests at Bitbucket Cloud: https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pullrequests/ */
import { answerAtBitbucket, readBitbucketComments } from './bitbucket-comments.ts'
import { type BitbucketCall, type BitbucketCaller, bitbucketReports } from './bitbucket-reports.ts'
import type { Branches, Forge, PullRequest, RequestExtras } from './forge.ts'
import { refusalStatus, unexpectedAnswerError } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { bitbucketCredentials } from './forge-location.ts'
import { callForge, fitText, readPullRequest } from './forge-request.ts'
import { addSeparately, rejectedExtraMessage } from './request-extras.ts'

/** Subset of Bitbucket's response that is used. */
interface BitbucketRequest {
  id: number
  title: string
  description?: string | null
  state: string
  draft?: boolean
  close_source_branch?: boolean
  reviewers?: { uuid: string }[]
  /** Lacks a repository if the fork was deleted. */
  source: RequestSide
  destination: RequestSide
  links: { html?: { href?: string } }
}

interface RequestSide {
  branch: { name: string }
  repository?: { full_name: string } | null
}

const UUID = /^\{[0-9a-f-]{36}\}$/i
/** Maximum page size. */
const PAGE_SIZE = 50
const STATES = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']

export function createBitbucketForge(location: ForgeLocation, token: string): Forge {
  const call: BitbucketCaller = (signal, apiCall) => callBitbucket(location, token, signal, apiCall)
  const read = (answer: unknown) => toPullRequest(location, answer as BitbucketRequest)

  const forge: Forge = {
    kind: 'bitbucket',

    async findPullRequest(branches, signal) {
      for (let page = 1; ; page++) {
        const { found, isLast } = await call(signal, {
          path: 'pullrequests',
          query: [
            ['q', buildQuery(branches)],
            ['sort', '-created_on'],
            ['pagelen', String(PAGE_SIZE)],
            ['page', String(page)],
            ...STATES.map((state): [string, string] => ['state', state]),
          ],
          read(answer) {
            const { values } = answer as { values: BitbucketRequest[] }
            // The list includes pull requests from forks.
            const own = values.find((one) => isBetween(one, branches))
            return { found: own === undefined ? null : read(own), isLast: values.length < PAGE_SIZE }
          },
        })
        if (found !== null || isLast) return found
      }
    },

    async createPullRequest({ branch, target, isDraft = false, ...text }, signal) {
      const { title, body: description } = fitText(text)
      const ends = { source: { branch: { name: branch } }, destination: { branch: { name: target } } }
      const body = { title, description, ...ends, ...(isDraft ? { draft: true } : {}) }
      try {
        return await call(signal, { method: 'POST', path: 'pullrequests', body, read })
      } catch (error) {
        if (![400, 409].includes(refusalStatus(error) ?? 0)) throw error
        const existing = await forge.findPullRequest({ branch, target }, signal)
        if (existing?.state === 'open') return existing
        throw error
      }
    },

    async updatePullRequest(id, text, signal) {
      const { title, body: description } = fitText(text)
      await updateRequest(call, id, { title, description }, signal)
    },

    addToPullRequest: (id, wanted, signal) => addAtBitbucket(call, id, wanted, signal),

    async markReadyForReview(id, signal) {
      await updateRequest(call, id, { draft: false }, signal)
    },

    readComments: (id, signal) => readBitbucketComments(call, location.path, id, signal),

    answerComment: (id, comment, signal) => answerAtBitbucket(call, id, comment, signal),

    ...bitbucketReports(call),
  }
  return forge
}

async function addAtBitbucket(
  call: BitbucketCaller,
  id: string,
  { reviewers, labels }: RequestExtras,
  signal: AbortSignal,
): Promise<string[]> {
  const unknown = reviewers
    .filter((name) => !UUID.test(name))
    .map((name) => rejectedExtraMessage(`${name} as a reviewer`, 'Bitbucket knows accounts by their {uuid}.'))
  if (labels.length > 0)
    unknown.push(rejectedExtraMessage(`the labels ${labels.join(', ')}`, 'Bitbucket has none.'))
  const parts = reviewers
    .filter((name) => UUID.test(name))
    .map((uuid) => ({
      what: `${uuid} as a reviewer`,
      add: () => updateRequest(call, id, { reviewers: [{ uuid }] }, signal),
    }))
  return [...unknown, ...(await addSeparately(parts))]
}

interface RequestChange {
  title?: string
  description?: string
  draft?: boolean
  /** Reviewers to add to the present ones. */
  reviewers?: { uuid: string }[]
}

/** Updates a pull request. Also sends unchanged fields: Bitbucket resets omitted reviewers, draft state and text. */
async function updateRequest(
  call: BitbucketCaller,
  id: string,
  { reviewers = [], ...change }: RequestChange,
  signal: AbortSignal,
): Promise<void> {
  const path = `pullrequests/${id}`
  const now = await call(signal, {
    path,
    read(answer) {
      const { title, description, draft, close_source_branch, reviewers } = answer as BitbucketRequest
      return {
        title,
        description: description ?? '',
        draft: draft ?? false,
        close_source_branch: close_source_branch ?? false,
        reviewers: (reviewers ?? []).map(({ uuid }) => ({ uuid })),
      }
    },
  })
  const others = reviewers.filter(({ uuid }) => now.reviewers.every((one) => one.uuid !== uuid))
  const body = { ...now, ...change, reviewers: [...now.reviewers, ...others] }
  await call(signal, { method: 'PUT', path, body, read: () => undefined })
}

async function callBitbucket<T>(
  location: ForgeLocation,
  token: string,
  signal: AbortSignal,
  { path, method = 'GET', query = [], body, read }: BitbucketCall<T>,
): Promise<T> {
  const whole = path.startsWith('/') ? path : `/repositories/${location.path}/${path}`
  const url = new URL(`/2.0${whole}`, location.apiOrigin)
  url.search = new URLSearchParams(query).toString()
  return await callForge(location, signal, async (fetch) => {
    const response = await fetch(url, {
      method,
      headers: {
        authorization: toAuthorization(token),
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`Bitbucket answered ${response.status}`)
    return read(await response.json())
  })
}

/** Personal tokens include an e-mail address; tokens of repositories and workspaces do not. */
function toAuthorization(token: string): string {
  return bitbucketCredentials(token).email === null
    ? `Bearer ${token}`
    : `Basic ${Buffer.from(token).toString('base64')}`
}

/** Builds a query for Bitbucket, whose strings use backslash escapes. */
function buildQuery({ branch, target }: Branches): string {
  const quoted = (name: string) => `"${name.replace(/["\\]/g, '\\$&')}"`
  return `source.branch.name = ${quoted(branch)} AND destination.branch.name = ${quoted(target)}`
}

function isBetween({ source, destination }: BitbucketRequest, { branch, target }: Branches): boolean {
  const isSameRepository = source.repository?.full_name === destination.repository?.full_name
  return isSameRepository && source.branch.name === branch && destination.branch.name === target
}

function toPullRequest(location: ForgeLocation, request: BitbucketRequest): PullRequest {
  const { id, links, state, title, description } = request
  const link = links?.html?.href
  if (typeof title !== 'string' || link === undefined) throw unexpectedAnswerError(location)
  return readPullRequest(location, id, link, {
    state: state === 'OPEN' ? 'open' : state === 'MERGED' ? 'merged' : 'closed',
    text: { title, body: description ?? '' },
  })
}
