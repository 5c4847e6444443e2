import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'preact/hooks'
import { ButtonLink } from '../ui/button.tsx'
import { usePageTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { t } from '../words/words.ts'

const RELOADED_KEY = 'octavo:reloaded'

/**
 * Returns whether a module failed to load. Usually a new version was deployed and the old file no longer exists, so the
 * page is reloaded once.
 */
function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /dynamically imported module|module script|Importing a module/i.test(error.message)
  )
}

export function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  useEffect(() => {
    if (!isMissingChunk(error) || !navigator.onLine || sessionStorage.getItem(RELOADED_KEY) === location.href)
      return
    sessionStorage.setItem(RELOADED_KEY, location.href)
    location.reload()
  }, [error])
  const retry = async () => {
    await router.invalidate()
    reset()
  }
  return <ErrorState isPage error={error} onRetry={retry} />
}

export function NotFound() {
  usePageTitle(t('Page not found'))
  return (
    <div class="flex-1 overflow-y-auto md:pt-16">
      <EmptyState
        isPage
        icon="search"
        title={t('There is no page at this URL')}
        actions={
          <ButtonLink href="/" look="primary">
            {t('Go to my project')}
          </ButtonLink>
        }
      >
        <p>
          {t(
            'It may have been removed, the link may be wrong, or it belongs to an organization that you are not a member of.',
          )}
        </p>
      </EmptyState>
    </div>
  )
}
