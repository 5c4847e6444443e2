/** One cache for the whole app: views show what is known at once, and look again behind it. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../../src/client/call.ts'
import { OfflineError } from '../api/connection.ts'

/** Live updates make answers stale as they change, so time alone need not do it often. */
const FRESH_MS = 30_000
const KEPT_MS = 30 * 60_000

let onSignedOut: () => void = () => undefined

/** What to do when the server says that the session has ended. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act
}

function notice(error: unknown): void {
  if (!(error instanceof ApiError)) return
  if (error.code === 'signed_out') onSignedOut()
  // The session says of which organization, and leads to one.
  if (error.code === 'second_factor_required')
    void queryClient.invalidateQueries({ queryKey: ['getSession'] })
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: notice }),
  mutationCache: new MutationCache({ onError: notice }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
      retry: (failures, error) => failures < 2 && mayPass(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

function mayPass(error: unknown): boolean {
  if (error instanceof OfflineError) return false // It is asked again when the connection is back.
  return !(error instanceof ApiError) || error.status >= 500
}
