/** Sends the dashboard's requests: same origin, with the session, for the current organization. */
import { createCaller } from '../../../../src/client/call.ts'
import { connectionFailed, connectionWorks, OfflineError } from './connection.ts'
import { withProof } from './proof.ts'

let organizationId: string | null = null

/** Sets the organization of all subsequent requests. */
export function setOrganization(id: string | null): void {
  organizationId = id
}

export function currentOrganization(): string | null {
  return organizationId
}

/** `fetch` that updates the connection state; rejects with OfflineError when there is no response. */
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

/** Options for requests of the signed-in member. */
export const callerOptions = { baseUrl: '', organizationId: () => organizationId, fetch: watchedFetch }

/** Caller for arbitrary URLs; `internal` and `octavo` have the typed calls. */
export const caller = createCaller(callerOptions)

/** Calls better-auth. Its errors also arrive in `error`, so one error class is enough. */
export function auth<Answer>(path: string, body?: unknown): Promise<Answer> {
  return caller.call<Answer>({
    method: body === undefined ? 'GET' : 'POST',
    path: `/auth/${path}`,
    ...(body === undefined ? {} : { body }),
  })
}
