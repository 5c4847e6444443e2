/** Navigation drawer on small screens: traps the focus and closes on Escape or a click outside. */
import { delegateClick, findElement, findElements, loopFocus } from './dom.ts'

export function initDrawer(): void {
  const panel = findElement('#sidebar')
  const button = findElement('.menu-button')
  if (!panel || !button) return
  button.setAttribute('role', 'button')
  const main = findElements('#content-columns, #navbar, .footer, #banner, .skip-link')

  const set = (isOpen: boolean) => {
    panel.toggleAttribute('data-open', isOpen)
    document.documentElement.toggleAttribute('data-drawer', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
    for (const element of main) element.inert = isOpen
    if (isOpen) {
      panel.setAttribute('role', 'dialog')
      panel.setAttribute('aria-modal', 'true')
      findElement('.drawer-close', panel)?.focus()
      findElement('[aria-current="page"]', panel)?.scrollIntoView({ block: 'center' })
    } else {
      panel.removeAttribute('role')
      panel.removeAttribute('aria-modal')
      button.focus()
    }
  }
  const isOpen = () => panel.hasAttribute('data-open')

  button.addEventListener('click', (event) => {
    event.preventDefault()
    event.stopPropagation()
    set(true)
  })
  button.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    set(true)
  })
  delegateClick('.drawer-close', (_, event) => {
    event.preventDefault()
    set(false)
  })
  document.addEventListener('click', (event) => {
    if (isOpen() && event.target instanceof Node && !panel.contains(event.target)) set(false)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && isOpen()) set(false)
  })
  loopFocus(panel, isOpen)
  // On a wide screen, the list is part of the page.
  matchMedia('(width >= 1024px)').addEventListener('change', (query) => {
    if (query.matches && isOpen()) set(false)
  })
}
