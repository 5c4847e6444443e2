/** Runs in the head, before anything is painted: what would otherwise jump is settled here. */
import { restoreNavigation } from './navigation-scroll.ts'
import { applyScheme, currentScheme } from './scheme.ts'
import { KEYS, recall } from './storage.ts'

const root = document.documentElement
root.classList.add('js')
applyScheme(currentScheme())

const closedBanner = recall(KEYS.banner)
whenParsed('#navbar', () => {
  const banner = document.getElementById('banner')
  if (closedBanner !== null && banner?.dataset.key === closedBanner) root.dataset.bannerClosed = ''
})
whenParsed('#content-area', () => {
  // Left by the script of a large navigation, which stands in the head.
  const { __octavoNavigation: fill } = globalThis as { __octavoNavigation?: unknown }
  if (typeof fill === 'function') fill()
  restoreNavigation()
})

/** Calls back as soon as the parser has reached the element, which is before it is painted. */
function whenParsed(selector: string, act: () => void): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return
    observer.disconnect()
    act()
  })
  observer.observe(document, { childList: true, subtree: true })
}
