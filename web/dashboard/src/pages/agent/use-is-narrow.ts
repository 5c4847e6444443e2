import { useSyncExternalStore } from 'preact/compat'

/** The width below which nothing stands beside the steps, as in the styles. */
const NARROW = matchMedia('(width < 1080px)')

export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      NARROW.addEventListener('change', listener)
      return () => NARROW.removeEventListener('change', listener)
    },
    () => NARROW.matches,
  )
}
