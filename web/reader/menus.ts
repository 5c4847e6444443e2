/** Menus: one open at a time, closed by Escape, a click outside or moving the focus away. */
import { LANGUAGE_CHOSEN_COOKIE } from '../../src/base/api/language-choice.ts'
import { delegateClick, findElements } from './dom.ts'

export function initMenus(): void {
  const open = () => findElements<HTMLDetailsElement>('details.menu[open]')
  document.addEventListener('click', (event) => {
    for (const menu of open()) if (!menu.contains(event.target as Node)) menu.open = false
  })
  delegateClick('html[data-routed] [data-kind="languages"] a', () => {
    // biome-ignore lint/suspicious/noDocumentCookie: older browsers have no other way
    document.cookie = `${LANGUAGE_CHOSEN_COOKIE}=1; path=/; max-age=31536000; samesite=lax`
  })
  document.addEventListener('focusin', (event) => {
    for (const menu of open()) if (!menu.contains(event.target as Node)) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    const menu =
      event.target instanceof Element ? event.target.closest<HTMLDetailsElement>('details.menu') : null
    if (event.key === 'Escape') {
      for (const shown of open()) shown.open = false
      menu?.querySelector('summary')?.focus()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!menu || step === 0) return
    event.preventDefault()
    menu.open = true
    const items = findElements<HTMLElement>('.menu-list :is(a, button)', menu)
    const index = items.indexOf(document.activeElement as HTMLElement)
    const next = index < 0 ? (step > 0 ? 0 : items.length - 1) : (index + step + items.length) % items.length
    items[next]?.focus()
  })
}
