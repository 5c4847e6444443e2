/** Preserves the scroll position of the navigation across pages; an entry out of view is centered. */
import { KEYS, recall, remember } from './storage.ts'

export function restoreNavigation(): void {
  const list = document.getElementById('sidebar-content')
  if (!list) return
  const [name, top] = (recall(KEYS.navigation, 'session') ?? '').split('\n')
  if (name === nameOf(list)) list.scrollTop = Number(top)
  const current = list.querySelector<HTMLElement>('[aria-current="page"]')
  if (!current) return
  const box = list.getBoundingClientRect()
  const place = current.getBoundingClientRect()
  if (place.top < box.top || place.bottom > box.bottom) {
    list.scrollTop += place.top - box.top - box.height / 2
  }
}

export function rememberNavigation(): void {
  addEventListener('pagehide', () => {
    const list = document.getElementById('sidebar-content')
    if (list) remember(KEYS.navigation, `${nameOf(list)}\n${list.scrollTop}`, 'session')
  })
}

/** Identifies a navigation of the site. Relative links differ between pages, but their resolved targets do not. */
function nameOf(list: HTMLElement): string {
  return list.querySelector<HTMLAnchorElement>('.sidebar-nav a')?.href ?? ''
}
