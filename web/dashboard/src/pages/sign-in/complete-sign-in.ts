import { useCallback } from 'preact/hooks'
import { sanitizeTarget } from '../../app/router.tsx'
import { clearSessionData, reloadSession } from '../../app/session.ts'
import { useGo } from '../../ui/link.tsx'

/** After sign-in, clears the data loaded as a visitor and navigates to the requested page. */
export function useCompleteSignIn(to: string | undefined): () => Promise<void> {
  const go = useGo()
  return useCallback(async () => {
    clearSessionData()
    await reloadSession()
    await go(sanitizeTarget(to), { replace: true })
  }, [go, to])
}
