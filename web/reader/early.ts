/** Runs in the head before the first paint, to avoid layout shifts. */
import { restoreNavigation } from './navigation-scroll.ts'
import { applyScheme, currentScheme } from './scheme.ts'
import { KEYS, recall } from './storage.ts'
import { onceTakenIn } from './taken-in.ts'

const root = document.documentElement
root.classList.add('js')
preloadFonts()
onceTakenIn(recallChoices)
whenParsed('#content-area', () => {
  // Defined by the script of a large navigation, which is also in the head.
  const { __octavoNavigation: fill } = globalThis as { __octavoNavigation?: () => void }
  fill?.()
  restoreNavigation()
})

function recallChoices(): void {
  applyScheme(currentScheme())
  const closedBanner = recall(KEYS.banner)
  if (closedBanner === null) return
  whenParsed('#navbar', () => {
    if (document.getElementById('banner')?.dataset.key === closedBanner) root.dataset.bannerClosed = ''
  })
}

/**
 * Preloads fonts, because a font that arrives after the first paint is not used. Pages opened from disk load them
 * immediately and may not preload.
 */
function preloadFonts(): void {
  if (location.protocol === 'file:') return
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="octavo-font"]'))
    Object.assign(link, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', rel: 'preload' })
}

/** Calls `act` as soon as the element has been parsed, before it is painted. */
function whenParsed(selector: string, act: () => void): void {
  const look = () => {
    if (!document.querySelector(selector)) return
    observer.disconnect()
    act()
  }
  const observer = new MutationObserver(look)
  observer.observe(root, { childList: true, subtree: true })
  look()
}
