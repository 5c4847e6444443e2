/** Opens hidden content when the URL hash refers to it, and puts the id of an opened accordion into the hash. */
import { findElement } from './dom.ts'
import { revealInTabs } from './tabs.ts'
import { revealInViews } from './views.ts'

export function initHashTargets(): void {
  const go = () => {
    const target = findTarget(location.hash)
    if (target) reveal(target)
  }
  addEventListener('hashchange', go)
  go()
  // Clicking a link to the current hash does not trigger a hashchange event.
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
      if (!details.open || !details.id || !isReaderToggle) return
      history.replaceState(history.state, '', `#${encodeURIComponent(details.id)}`)
    },
    true,
  )
  document.addEventListener('click', (event) => {
    isReaderToggle = event.target instanceof Element && event.target.closest('.accordion > summary') !== null
  })
}

/** True if the reader toggles the accordion; opening by find-in-page or links leaves the URL unchanged. */
let isReaderToggle = false

function findTarget(hash: string): HTMLElement | null {
  if (hash.length < 2) return null
  const raw = hash.slice(1)
  const name = decodeHash(raw)
  return document.getElementById(name) ?? document.getElementById(raw) ?? findBySimilarId(name)
}

function decodeHash(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * External links, and pages written for other tools, may use ids that were generated differently: with brackets and
 * dots, or without hyphens. Returns the element whose letters and digits match, if there is exactly one.
 */
function findBySimilarId(name: string): HTMLElement | null {
  const targetLetters = toLetters(name)
  if (targetLetters === '') return null
  const found = [...document.querySelectorAll<HTMLElement>('#content-area [id]')].filter(
    ({ id }) => toLetters(id) === targetLetters,
  )
  return found.length === 1 ? (found[0] ?? null) : null
}

function toLetters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function reveal(target: HTMLElement): void {
  isReaderToggle = false
  const place =
    target.getAttribute('role') === 'tabpanel' ? (findElement('[data-active]', target) ?? target) : target
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
