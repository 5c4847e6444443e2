import { useCallback } from 'preact/hooks'
import { safeTarget } from '../../app/router.tsx'
import { forgetAllButSession, reloadSession } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'

/** Clears the data loaded as a visitor after signing in, and navigates to the requested page. */
export function useEnter(to: string | undefined): () => Promise<void> {
  const go = useGo()
  return useCallback(async () => {
    forgetAllButSession()
    await reloadSession()
    await go(safeTarget(to), { replace: true })
  }, [go, to])
}
