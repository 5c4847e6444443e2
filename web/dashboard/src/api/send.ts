/** Sends the dashboard's requests to its own origin, with the session and the current organization. */
import { createCaller } from '../../../../src/client/call.ts'
import { OfflineError, reportConnected, reportDisconnected } from './connection.ts'
import { withReauthentication } from './reauthentication.ts'

let organizationId: string | null = null

export function setOrganization(id: string | null): void {
  organizationId = id
}

export function currentOrganizationId(): string | null {
  return organizationId
}

/** `fetch` that updates the connection state; rejects with OfflineError when there is no response. */
const monitoredFetch: typeof fetch = async (input, init) => {
  if (!navigator.onLine && (init?.method ?? 'GET') !== 'GET') throw new OfflineError()
  try {
    return await withReauthentication(async () => {
      const response = await fetch(input, init)
      reportConnected()
      return response
    })
  } catch (error) {
    if (init?.signal?.aborted === true) throw error
    reportDisconnected()
    throw new OfflineError()
  }
}

export const callerOptions = { baseUrl: '', organizationId: () => organizationId, fetch: monitoredFetch }

/** Caller for arbitrary URLs; `internal` and `octavo` provide typed calls. */
export const caller = createCaller(callerOptions)

/** Calls better-auth. Its responses also contain errors in `error`, so one error class is enough. */
export function callAuth<Answer>(path: string, body?: unknown): Promise<Answer> {
  return caller.call<Answer>({
    method: body === undefined ? 'GET' : 'POST',
    path: `/auth/${path}`,
    ...(body === undefined ? {} : { body }),
  })
}
