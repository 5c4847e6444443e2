/**
 * Blocks users who lack a required second factor from pages whose requests would fail, and leads them to the setup.
 */

import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'preact/compat'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { formatTimeUntil } from '../ui/time.tsx'
import { t } from '../words/words.ts'
import { useOrganization } from './session.ts'

const Wall = lazy(async () => ({
  default: (await import('../pages/account/second-factor-wall.tsx')).SecondFactorWall,
}))

export function GatedOutlet() {
  const { pathname } = useLocation()
  const dueAt = useSecondFactorDueAt()
  const isDue = dueAt !== null && Date.parse(dueAt) <= Date.now()
  // Stays true after the setup, until the user has seen the recovery codes.
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

/** Reminder above every page until the second factor becomes mandatory. */
export function SecondFactorBanner() {
  const dueAt = useSecondFactorDueAt()
  return (
    <div role="status" class="shrink-0">
      {dueAt !== null && Date.parse(dueAt) > Date.now() && (
        <p class="flex flex-wrap items-center justify-center gap-x-2 bg-warning-ground px-4 py-1.5 text-13 text-warning">
          <Icon name="circle-alert" />
          <span>{t('A second factor will be required {when}.', { when: formatTimeUntil(dueAt) })}</span>
          <Link href="/account">{t('Set one up')}</Link>
        </p>
      )}
    </div>
  )
}

function useSecondFactorDueAt(): string | null {
  return useOrganization()?.secondFactorDueAt ?? null
}
