/** Runs in the head, before anything is painted: what would otherwise jump is settled here. */
import { restoreNavigation } from './navigation-scroll.ts'
import { applyScheme, currentScheme } from './scheme.ts'
import { KEYS, recall } from './storage.ts'

const root = document.documentElement
root.classList.add('js')
// Chromium takes a page from disk for a stranger for its first moments: who then asks for what is kept makes it keep
// nothing, for as long as it is open. The first frame comes later, and still before anything is painted.
if (location.protocol === 'file:') requestAnimationFrame(recallChoices)
else recallChoices()
whenParsed('#content-area', () => {
  // Left by the script of a large navigation, which stands in the head.
  const { __octavoNavigation: fill } = globalThis as { __octavoNavigation?: unknown }
  if (typeof fill === 'function') fill()
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

/** Calls back as soon as the parser has reached the element, which is before it is painted. */
function whenParsed(selector: string, act: () => void): void {
  if (document.querySelector(selector)) {
    act()
    return
  }
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return
    observer.disconnect()
    act()
  })
  observer.observe(document, { childList: true, subtree: true })
}
