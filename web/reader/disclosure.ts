/** An address that names a part of the page opens what hides it; opening an accordion names it in the address. */
import { one } from './dom.ts'
import { revealInTabs } from './tabs.ts'
import { revealInViews } from './views.ts'

export function hashTargets(): void {
  const go = () => {
    const target = targetOf(location.hash)
    if (target) reveal(target)
  }
  addEventListener('hashchange', go)
  go()
  // A click on a link to the place one is at changes nothing in the address.
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
    if (link && link.hash === location.hash) go()
  })
  document.addEventListener(
    'toggle',
    (event) => {
      const details = event.target
      if (!(details instanceof HTMLDetailsElement) || !details.classList.contains('accordion')) return
      if (!details.open || !details.id || !isByReader) return
      history.replaceState(history.state, '', `#${encodeURIComponent(details.id)}`)
    },
    true,
  )
  document.addEventListener('click', (event) => {
    isByReader = event.target instanceof Element && event.target.closest('.accordion > summary') !== null
  })
}

/** Find-in-page and links open accordions too; these leave the address alone. */
let isByReader = false

function targetOf(hash: string): HTMLElement | null {
  if (hash.length < 2) return null
  const raw = hash.slice(1)
  const name = decoded(raw)
  return document.getElementById(name) ?? document.getElementById(raw) ?? namedAlike(name)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Links from elsewhere, and those of pages that were written for another tool, name a heading by other rules: with
 * brackets and dots, or without any hyphens. The one place whose letters and digits are the same is meant; of several,
 * none.
 */
function namedAlike(name: string): HTMLElement | null {
  const wanted = lettersOf(name)
  if (wanted === '') return null
  const found = [...document.querySelectorAll<HTMLElement>('#content-area [id]')].filter(
    ({ id }) => lettersOf(id) === wanted,
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function reveal(target: HTMLElement): void {
  isByReader = false
  const place = target.getAttribute('role') === 'tabpanel' ? (one('[data-active]', target) ?? target) : target
  for (
    let details = place.closest('details');
    details;
    details = details.parentElement?.closest('details') ?? null
  ) {
    details.open = true
  }
  revealInViews(target)
  revealInTabs(target)
  const isPanel = target.getAttribute('role') === 'tabpanel'
  ;(isPanel ? (target.parentElement ?? target) : target).scrollIntoView({ block: 'start' })
}
