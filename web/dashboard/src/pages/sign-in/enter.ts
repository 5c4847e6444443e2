import { useCallback } from 'preact/hooks'
import { queryClient } from '../../app/query-client.ts'
import { safeTarget } from '../../app/router.tsx'
import { reloadSession, sessionQuery } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'

/** After the server has begun a session: forgets what a visitor had loaded, and goes where one wanted to go. */
export function useEnter(to: string | undefined): () => Promise<void> {
  const go = useGo()
  return useCallback(async () => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
    await reloadSession()
    await go(safeTarget(to), { replace: true })
  }, [go, to])
}
