/** Preserves the scroll position of the navigation across pages; an entry out of view is centered. */
import { KEYS, readStored, writeStored } from './storage.ts'

export function restoreNavigationScroll(): void {
  const list = document.getElementById('sidebar-content')
  if (!list) return
  const [name, top] = (readStored(KEYS.navigation, 'session') ?? '').split('\n')
  if (name === navigationKey(list)) list.scrollTop = Number(top)
  const current = list.querySelector<HTMLElement>('[aria-current="page"]')
  if (!current) return
  const box = list.getBoundingClientRect()
  const place = current.getBoundingClientRect()
  if (place.top < box.top || place.bottom > box.bottom) {
    list.scrollTop += place.top - box.top - box.height / 2
  }
}

export function storeNavigationScroll(): void {
  addEventListener('pagehide', () => {
    const list = document.getElementById('sidebar-content')
    if (list) writeStored(KEYS.navigation, `${navigationKey(list)}\n${list.scrollTop}`, 'session')
  })
}

/** Identifies a navigation of the site. Relative links differ between pages, but their resolved targets do not. */
function navigationKey(list: HTMLElement): string {
  return list.querySelector<HTMLAnchorElement>('.sidebar-nav a')?.href ?? ''
}
