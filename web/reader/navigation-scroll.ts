/** Preserves the scroll position of the navigation across pages; an entry out of view is centered. */
import { KEYS, readStored, writeStored } from './storage.ts'

export function restoreNavigationScroll(): void {
  const list = document.getElementById('sidebar-content')
  if (!list) return
  const [name, index, offset] = (readStored(KEYS.navigation, 'session') ?? '').split('\n')
  const first = name === navigationKey(list) ? list.querySelectorAll('a')[Number(index)] : undefined
  if (first) list.scrollTop += computeOffsetTop(list, first) - Number(offset)
  const current = list.querySelector<HTMLElement>('[aria-current="page"]')
  if (current) centerIfHidden(list, current, 3)
}

/** Repeats in the next frames, because groups that come into view replace their estimated heights. */
function centerIfHidden(list: HTMLElement, entry: HTMLElement, frames: number): void {
  const top = computeOffsetTop(list, entry)
  if (top < 0 || top + entry.offsetHeight > list.offsetHeight) list.scrollTop += top - list.offsetHeight / 2
  if (frames > 0) requestAnimationFrame(() => centerIfHidden(list, entry, frames - 1))
}

/**
 * Stores the first visible entry and its position, because heights in a large list are only estimates until the list is
 * scrolled.
 */
export function storeNavigationScroll(): void {
  addEventListener('pagehide', () => {
    const list = document.getElementById('sidebar-content')
    const isVisible = (element: Element) => list && computeOffsetTop(list, element) + element.clientHeight > 0
    // Finds the group first, because measuring each link would lay out the whole list.
    const group = [...(list?.querySelectorAll('.sidebar-nav > li') ?? [])].find(isVisible)
    const first = [...(group?.querySelectorAll('a') ?? [])].find(isVisible)
    if (!list || !first) return
    const index = [...list.querySelectorAll('a')].indexOf(first)
    const position = `${navigationKey(list)}\n${index}\n${computeOffsetTop(list, first)}`
    writeStored(KEYS.navigation, position, 'session')
  })
}

function computeOffsetTop(list: Element, element: Element): number {
  return element.getBoundingClientRect().top - list.getBoundingClientRect().top
}

/** Identifies a navigation of the site. Relative links differ between pages, but their resolved targets do not. */
function navigationKey(list: HTMLElement): string {
  return list.querySelector<HTMLAnchorElement>('.sidebar-nav a')?.href ?? ''
}
