import { useSyncExternalStore } from 'preact/compat'

/** The width below which the detail is a page of its own, as in the styles. */
const PHONE = matchMedia('(width < 800px)')

export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      PHONE.addEventListener('change', listener)
      return () => PHONE.removeEventListener('change', listener)
    },
    () => PHONE.matches,
  )
}
