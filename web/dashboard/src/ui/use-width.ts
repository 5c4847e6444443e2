/** Widths, and ways to point, for which a page is laid out in another way, as in the styles. */
import { useSyncExternalStore } from 'preact/compat'

function createWidthHook(query: string): () => boolean {
  const width = matchMedia(query)
  const subscribe = (listener: () => void) => {
    width.addEventListener('change', listener)
    return () => width.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => width.matches)
}

/** The detail is a page of its own. */
export const useIsPhone = createWidthHook('(width < 800px)')

/** The filters of a list have no room beside its search. */
export const useIsTight = createWidthHook('(width < 900px)')

/** The rail shows pictures alone, and nothing stands beside the steps of a job. */
export const useIsNarrow = createWidthHook('(width < 1080px)')

/** Fingers point here, or something as coarse. */
export const useIsCoarse = createWidthHook('(pointer: coarse)')
