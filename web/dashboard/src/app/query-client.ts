/** Query cache of the whole app: views show cached data immediately and refetch in the background. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../../src/client/call.ts'
import { OfflineError } from '../api/connection.ts'

/** Live events invalidate data when it changes, so expiry by time is only a fallback. */
const STALE_TIME_MS = 30_000
const CACHE_TIME_MS = 30 * 60_000

let onSignedOut: () => void = () => undefined

export function setSignedOutHandler(handler: () => void): void {
  onSignedOut = handler
}

function handleApiError(error: unknown): void {
  if (!(error instanceof ApiError)) return
  if (error.code === 'signed_out') onSignedOut()
  // Reloads the session. It then contains the organization's requirement, which opens the setup of the second factor.
  if (error.code === 'second_factor_required')
    void queryClient.invalidateQueries({ queryKey: ['getSession'] })
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleApiError }),
  mutationCache: new MutationCache({ onError: handleApiError }),
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME_MS,
      gcTime: CACHE_TIME_MS,
      retry: (failures, error) => failures < 2 && isRetryable(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

function isRetryable(error: unknown): boolean {
  if (error instanceof OfflineError) return false // Paused queries are refetched when the connection is back.
  return !(error instanceof ApiError) || error.status >= 500
}
