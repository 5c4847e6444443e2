/**
 * Prefetches the code and data of a project's other pages, one after another while the browser is idle, once the
 * current page has loaded. Live events keep the prefetched data up to date.
 */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'preact/hooks'
import { fetchAhead } from '../ui/link.tsx'
import { useProjectPlaces } from './places.ts'
import { queryClient } from './query-client.ts'

/** Interval between checks whether the current page has finished loading. */
const LOOK_MS = 300
/** Timeout of the idle callback, because a page with constant animation never becomes idle. */
const IDLE_MS = 2000

export function useFetchAhead(projectId: string | undefined): void {
  const router = useRouter()
  const places = useProjectPlaces(projectId)
    .map(({ href }) => href)
    .join(' ')
  useEffect(() => {
    if (places === '' || savesData()) return
    let isOver = false
    const fetchAll = async () => {
      for (const href of places.split(' ')) {
        await untilQuiet()
        if (isOver) return
        await fetchAhead(router, href)
      }
    }
    void fetchAll()
    return () => {
      isOver = true
    }
  }, [places, router])
}

async function untilQuiet(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  while (queryClient.isFetching() > 0)
  if (typeof requestIdleCallback === 'undefined') return // Not available in Safari.
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: IDLE_MS }))
}

/** Returns whether the user has enabled the browser's data saver. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}
