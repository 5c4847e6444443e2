/** Query cache of the whole app: views show cached data immediately and refetch in the background. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../../src/client/call.ts'
import { OfflineError } from '../api/connection.ts'

/** Live events invalidate data when it changes, so it rarely has to become stale by time alone. */
const FRESH_MS = 30_000
const KEPT_MS = 30 * 60_000

let onSignedOut: () => void = () => undefined

/** Registers the function to call when the server reports that the session has ended. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act
}

function notice(error: unknown): void {
  if (!(error instanceof ApiError)) return
  if (error.code === 'signed_out') onSignedOut()
  // The reloaded session names the organization that requires it and leads to the setup.
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
  if (error instanceof OfflineError) return false // Paused queries are refetched when the connection is back.
  return !(error instanceof ApiError) || error.status >= 500
}
