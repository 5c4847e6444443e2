/** How every request of the dashboard is sent: same origin, with the session, for the organization that is looked at. */
import { createCaller } from '../../../../src/client/call.ts'
import { connectionFailed, connectionWorks, OfflineError } from './connection.ts'
import { withProof } from './proof.ts'

let organizationId: string | null = null

/** The organization that all further requests are for. */
export function setOrganization(id: string | null): void {
  organizationId = id
}

export function currentOrganization(): string | null {
  return organizationId
}

/** A request that finds nobody tells the connection, and rejects as OfflineError. */
const watchedFetch: typeof fetch = async (input, init) => {
  if (!navigator.onLine && (init?.method ?? 'GET') !== 'GET') throw new OfflineError()
  try {
    return await withProof(async () => {
      const response = await fetch(input, init)
      connectionWorks()
      return response
    })
  } catch (error) {
    if (init?.signal?.aborted === true) throw error
    connectionFailed()
    throw new OfflineError()
  }
}

/** For the member who is signed in. */
export const callerOptions = { baseUrl: '', organizationId: () => organizationId, fetch: watchedFetch }

/** Any address; `internal` and `octavo` have the typed calls. */
export const caller = createCaller(callerOptions)

/** better-auth answers what went wrong in `error` too, so that one class of errors serves. */
export function auth<Answer>(path: string, body?: unknown): Promise<Answer> {
  return caller.call<Answer>({
    method: body === undefined ? 'GET' : 'POST',
    path: `/auth/${path}`,
    ...(body === undefined ? {} : { body }),
  })
}
