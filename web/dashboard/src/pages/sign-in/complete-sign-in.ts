import { useCallback } from 'preact/hooks'
import { sanitizeTarget } from '../../app/router.tsx'
import { clearSessionData, reloadSession } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'

/** Clears the data loaded as a visitor after signing in, and navigates to the requested page. */
export function useCompleteSignIn(to: string | undefined): () => Promise<void> {
  const go = useGo()
  return useCallback(async () => {
    clearSessionData()
    await reloadSession()
    await go(sanitizeTarget(to), { replace: true })
  }, [go, to])
}
