/** Reports the outcome of commits to Bitbucket: as builds, and in one comment on the pull request. */
import { STATUS_NAME, upsertComment } from './commit-report.ts'
import type { Forge } from './forge.ts'

/** A request and the parser of its response. Any error thrown by the parser means an unexpected response. */
export interface BitbucketCall<T> {
  /** Below the repository; below the API with a slash before it. */
  path: string
  method?: 'GET' | 'POST' | 'PUT'
  query?: [name: string, value: string][]
  body?: object
  read: (answer: unknown) => T
}

export type BitbucketCaller = <T>(signal: AbortSignal, request: BitbucketCall<T>) => Promise<T>

/** Subset of Bitbucket's response that is used. */
export interface BitbucketComment {
  id: number
  content?: { raw?: string | null }
  deleted?: boolean
  /** Part of a review that has not been submitted yet. */
  pending?: boolean
  user?: { type: string; uuid?: string; nickname?: string; display_name?: string }
  inline?: { path: string; to?: number | null }
}

const STATES = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' } as const
const PAGE = 100

export function bitbucketReports(call: BitbucketCaller): Pick<Forge, 'setStatus' | 'keepComment'> {
  const read = () => undefined
  return {
    async setStatus({ commit, branch, state, description, url }, signal) {
      const body = {
        key: STATUS_NAME,
        name: 'Octavo preview',
        ...{ state: STATES[state], description, url },
        // Without `refname`, no pull request shows the status.
        ...(branch !== null && { refname: branch }),
      }
      await call(signal, { method: 'POST', path: `commit/${commit}/statuses/build`, body, read })
    },
    keepComment(id, comment, signal) {
      const path = `pullrequests/${id}/comments`
      const content = (raw: string) => ({ content: { raw } })
      return upsertComment(
        {
          list: (page) =>
            call(signal, {
              path,
              query: [
                ['pagelen', String(PAGE)],
                ['page', String(page)],
              ],
              read: (answer) =>
                (answer as { values: BitbucketComment[] }).values.map((one) => ({
                  id: one.id,
                  body: one.deleted === true ? '' : (one.content?.raw ?? ''),
                })),
            }),
          edit: (number, raw) =>
            call(signal, { method: 'PUT', path: `${path}/${number}`, body: content(raw), read }),
          create: (raw) => call(signal, { method: 'POST', path, body: content(raw), read }),
          pageSize: PAGE,
        },
        comment,
      )
    },
  }
}
