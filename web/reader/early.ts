/** Runs in the head, before anything is painted: what would otherwise jump is settled here. */
import { restoreNavigation } from './navigation-scroll.ts'
import { applyScheme, currentScheme } from './scheme.ts'
import { KEYS, recall } from './storage.ts'
import { onceTakenIn } from './taken-in.ts'

const root = document.documentElement
root.classList.add('js')
preloadFonts()
onceTakenIn(recallChoices)
whenParsed('#content-area', () => {
  // Left by the script of a large navigation, which stands in the head.
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

/** Fonts that come after the first paint are left out. From disk they are there at once, and a preload is refused. */
function preloadFonts(): void {
  if (location.protocol === 'file:') return
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="octavo-font"]'))
    Object.assign(link, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', rel: 'preload' })
}

/** Calls back as soon as the parser has reached the element, which is before it is painted. */
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
