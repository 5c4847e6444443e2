/**
 * Prefetches the code and data of a project's other pages, one after another while the browser is idle, once the
 * current page has loaded. Live events keep the prefetched data up to date.
 */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'preact/hooks'
import { prefetchPage } from '../ui/link.tsx'
import { useProjectNavigation } from './current-project.ts'
import { queryClient } from './query-client.ts'

/** Interval between checks whether the current page has finished loading. */
const POLL_INTERVAL_MS = 300
/** Timeout of the idle callback, because a page with constant animation never becomes idle. */
const IDLE_TIMEOUT_MS = 2000

export function usePagePrefetch(projectId: string | undefined): void {
  const router = useRouter()
  const joinedHrefs = useProjectNavigation(projectId)
    .map(({ href }) => href)
    .join(' ')
  useEffect(() => {
    if (joinedHrefs === '' || isSaveDataOn()) return
    let isStopped = false
    const fetchAll = async () => {
      for (const href of joinedHrefs.split(' ')) {
        await waitUntilIdle()
        if (isStopped) return
        await prefetchPage(router, href)
      }
    }
    void fetchAll()
    return () => {
      isStopped = true
    }
  }, [joinedHrefs, router])
}

async function waitUntilIdle(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  while (queryClient.isFetching() > 0)
  if (typeof requestIdleCallback === 'undefined') return // Not available in Safari.
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS }))
}

function isSaveDataOn(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}
