/** Media queries that change the layout, matching those of the styles. */
import { useSyncExternalStore } from 'preact/compat'

function createWidthHook(query: string): () => boolean {
  const width = matchMedia(query)
  const subscribe = (listener: () => void) => {
    width.addEventListener('change', listener)
    return () => width.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => width.matches)
}

/** True on phones, where the detail is a separate page. */
export const useIsPhone = createWidthHook('(width < 800px)')

/** True if there is no room for the filters of a list next to its search field. */
export const useIsTight = createWidthHook('(width < 900px)')

/** True if the sidebar only shows icons and a job's steps have no panel next to them. */
export const useIsNarrow = createWidthHook('(width < 1080px)')

/** Touch input or another coarse pointer. */
export const useIsCoarse = createWidthHook('(pointer: coarse)')
