/** Runs in the head before the first paint, to avoid layout shifts. */
import { restoreNavigationScroll } from './navigation-scroll.ts'
import { applyScheme, currentScheme } from './scheme.ts'
import { KEYS, readStored } from './storage.ts'
import { whenStorageIsReady } from './storage-ready.ts'

const root = document.documentElement
root.classList.add('js')
preloadFonts()
whenStorageIsReady(applyStoredChoices)
onElementParsed('#content-area', () => {
  // Defined by the script of a large navigation, which is also in the head.
  const { __octavoNavigation: fill } = globalThis as { __octavoNavigation?: () => void }
  fill?.()
  restoreNavigationScroll()
})

function applyStoredChoices(): void {
  applyScheme(currentScheme())
  const closedBanner = readStored(KEYS.banner)
  if (closedBanner === null) return
  onElementParsed('#navbar', () => {
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

/** Calls `callback` as soon as the element has been parsed, before it is painted. */
function onElementParsed(selector: string, callback: () => void): void {
  const findNow = () => {
    if (!document.querySelector(selector)) return
    observer.disconnect()
    callback()
  }
  const observer = new MutationObserver(findNow)
  observer.observe(root, { childList: true, subtree: true })
  findNow()
}
