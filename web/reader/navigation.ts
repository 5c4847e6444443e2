/**
 * Stands before the whole list of a large navigation, in the script that its pages share. `early.ts` calls what this
 * leaves as soon as the short list of the page is there, which is before anything is painted.
 */
import { ROOT_MARK, SLOT, slotValue } from '../../src/base/api/navigation-script.ts'

const globals = globalThis as unknown as { __octavoNavigation: string | (() => void) }

const whole = String(globals.__octavoNavigation)
// As the page writes it, so that it holds from disk and below any path.
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
}
