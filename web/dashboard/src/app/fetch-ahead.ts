/**
 * The other pages of a project, code and content, fetched once the page one has come for is there: going to them waits for
 * nothing. One after another, while the browser has nothing else to do. What they show stays true by the live changes.
 */
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'preact/hooks'
import { fetchAhead } from '../ui/link.tsx'
import { useProjectPlaces } from './places.ts'
import { queryClient } from './query-client.ts'

/** Between two looks whether the page has all it asked for. */
const LOOK_MS = 300
/** The browser never comes to rest on a page that always moves. */
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
  if (typeof requestIdleCallback === 'undefined') return // Not in Safari.
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: IDLE_MS }))
}

/** The reader has asked the browser to fetch no more than is needed. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true
}
