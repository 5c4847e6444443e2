import { useCallback } from 'preact/hooks'
import { safeTarget } from '../../app/router.tsx'
import { forgetAllButSession, reloadSession } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'

/** After the server has begun a session: forgets what a visitor had loaded, and goes where one wanted to go. */
export function useEnter(to: string | undefined): () => Promise<void> {
  const go = useGo()
  return useCallback(async () => {
    forgetAllButSession()
    await reloadSession()
    await go(safeTarget(to), { replace: true })
  }, [go, to])
}
