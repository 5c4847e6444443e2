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
  try {
    return document.getElementById(decodeURIComponent(raw)) ?? document.getElementById(raw)
  } catch {
    return document.getElementById(raw)
  }
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
