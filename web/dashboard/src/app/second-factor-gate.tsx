/** Keeps who lacks a second factor that is asked for from what would be refused, and leads them to one. */

import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'preact/compat'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { inTime } from '../ui/time.tsx'
import { t } from '../words/words.ts'
import { useOrganization } from './session.ts'

const Wall = lazy(async () => ({
  default: (await import('../pages/account/second-factor-wall.tsx')).SecondFactorWall,
}))

/** The page, or what leads to it. */
export function GatedOutlet() {
  const { pathname } = useLocation()
  const due = useDue()
  const isDue = due !== null && Date.parse(due) <= Date.now()
  // Recovery codes are still to be read when the factor is there.
  const [isHeld, setHeld] = useState(isDue)
  useEffect(() => {
    if (isDue) setHeld(true)
  }, [isDue])
  if (pathname === '/account' || !(isDue || isHeld)) return <Outlet />
  return (
    <Suspense fallback={null}>
      <Wall isDue={isDue} onDone={() => setHeld(false)} />
    </Suspense>
  )
}

/** Said above every page while there is still time. */
export function SecondFactorBanner() {
  const due = useDue()
  return (
    <div role="status" class="shrink-0">
      {due !== null && Date.parse(due) > Date.now() && (
        <p class="flex flex-wrap items-center justify-center gap-x-2 bg-warning-ground px-4 py-1.5 text-13 text-warning">
          <Icon name="circle-alert" />
          <span>{t('A second factor is required here {when}.', { when: inTime(due) })}</span>
          <Link href="/account">{t('Set one up')}</Link>
        </p>
      )}
    </div>
  )
}

function useDue(): string | null {
  return useOrganization()?.secondFactorDueAt ?? null
}
