/** Runs in the head, before anything is painted: what would otherwise jump is settled here. */
import { restoreNavigation } from './navigation-scroll.ts'
import { applyScheme, currentScheme } from './scheme.ts'
import { KEYS, recall } from './storage.ts'
import { onceTakenIn } from './taken-in.ts'

const FONT_TOKENS = ['text', 'heading', 'code']
/** From the first frame on: for the whole page, and from then on for its fonts. */
const PARSE_MS = 1000
const FONTS_MS = 300

const root = document.documentElement
root.classList.add('js')
awaitWhole()
onceTakenIn(recallChoices)
whenParsed('#content-area', () => {
  // Left by the script of a large navigation, which stands in the head.
  const { __octavoNavigation: fill } = globalThis as { __octavoNavigation?: () => void }
  fill?.()
  restoreNavigation()
})

/**
 * Nothing is shown until the text, its scripts and its fonts are there, for a moment: text that came before its fonts
 * would break its lines anew, and a table has other columns with each row.
 */
function awaitWhole(): void {
  // What nobody sees may move.
  if (document.hidden) return
  root.dataset.arriving = ''
  // The first frame comes when the style sheets are there.
  requestAnimationFrame(() => setTimeout(showWithoutFonts, PARSE_MS))
  document.addEventListener('DOMContentLoaded', () => {
    setTimeout(showWithoutFonts, FONTS_MS)
    // A layout asks for the fonts that it needs.
    document.body.getBoundingClientRect()
    document.fonts.ready.then(show)
  })
}

function show(): void {
  delete root.dataset.arriving
}

/** Fonts that are late are not used on this page, and come from the cache for the next one. */
function showWithoutFonts(): void {
  if (root.dataset.arriving == null) return
  show()
  // Of a whole page one that nothing has asked for is not late.
  const calm = document.readyState === 'loading' ? 'loaded' : 'unloaded'
  const faces = [...document.fonts]
  const style = getComputedStyle(root)
  for (const token of FONT_TOKENS) {
    const families = style
      .getPropertyValue(`--font-${token}`)
      .split(',')
      .filter((family) => {
        const own = faces.filter((face) => bare(face.family) === bare(family))
        return (
          family.includes('Fallback') ||
          !own.length ||
          own.some(({ status }) => status === calm || status === 'loaded')
        )
      })
    root.style.setProperty(`--font-${token}`, families.join())
  }
}

function bare(family: string): string {
  return family.replace(/["' ]/g, '')
}

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
  const look = () => {
    if (!document.querySelector(selector)) return
    observer.disconnect()
    act()
  }
  const observer = new MutationObserver(look)
  observer.observe(root, { childList: true, subtree: true })
  look()
}
