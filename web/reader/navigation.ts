/**
 * Prologue of the script that holds the full list of a large navigation, which all its pages load.
 * `early.ts` calls the global defined here as soon as the page's short list has been parsed, before the first
 * paint.
 */
import { ROOT_MARK, SLOT, slotValue } from '../../src/base/api/navigation-script.ts'

const globals = globalThis as unknown as { __octavoNavigation: string | (() => void) }

const whole = String(globals.__octavoNavigation)
// Uses the URL as written in the page, so that it works from disk and below any path.
const source = document.currentScript?.getAttribute('src') ?? ''
const root = source.slice(0, Math.max(0, source.indexOf('_octavo/')))

globals.__octavoNavigation = () => {
  const list = document.querySelector<HTMLElement>('.sidebar-nav[data-slots]')
  if (!list) return
  const filled = new Set(list.dataset.slots?.split(' '))
  list.removeAttribute('data-slots')
  list.innerHTML = whole
    .replaceAll(ROOT_MARK, () => root)
    .replace(SLOT, (_, name: string) => (filled.has(name) ? slotValue(name) : ''))
  // Delays the layout of groups until they are near the viewport; their heights are estimates. The styles are inline,
  // because style sheets may arrive after this script.
  for (const { parentElement, childElementCount } of list.querySelectorAll('.sidebar-group'))
    if (parentElement)
      parentElement.style.cssText = `content-visibility:auto;contain-intrinsic-block-size:auto ${28 + 32 * childElementCount}px;overflow-clip-margin:12px`
}
