/** Table of contents: highlights the current section; on small screens, it opens from a single line. */
import { all, one } from './dom.ts'

/** Distance below the header, in pixels, at which a heading counts as reached. */
const REACHED = 96

export function pageContents(): void {
  const list = one('#table-of-contents-content')
  const button = one('.toc-title')
  if (!list || !button) return
  button.addEventListener('click', () => {
    if (matchMedia('(width >= 1280px)').matches) scrollTo({ top: 0, behavior: 'smooth' })
    else button.setAttribute('aria-expanded', String(button.getAttribute('aria-expanded') !== 'true'))
  })
  const entries = all<HTMLLIElement>('.toc-item', list).flatMap((item) => {
    const link = one<HTMLAnchorElement>('a', item)
    const target = link ? document.getElementById(decode(link.hash.slice(1))) : null
    return target ? [{ item, target }] : []
  })
  if (entries.length === 0) return

  let isPlanned = false
  const update = () => {
    isPlanned = false
    const line = REACHED + (one('#navbar')?.offsetHeight ?? 0)
    const shown = entries.filter(({ target }) => isShown(target))
    for (const { item, target } of entries) item.hidden = !isShown(target)
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
    const reached = shown.filter(({ target }) => target.getBoundingClientRect().top <= line)
    const active = isAtEnd && scrollY > 0 ? shown.at(-1) : (reached.at(-1) ?? shown[0])
    for (const { item } of entries) {
      item.toggleAttribute('data-active-deepest', item === active?.item)
      if (item === active?.item) item.dataset.active = 'true'
      else delete item.dataset.active
    }
    keepInSight(active?.item)
  }
  const plan = () => {
    if (isPlanned) return
    isPlanned = true
    requestAnimationFrame(update)
  }
  addEventListener('scroll', plan, { passive: true })
  addEventListener('resize', plan)
  document.addEventListener('click', plan)
  update()
}

/** Returns false for content of an inactive tab or view. Accordions count as shown, since their entry opens them. */
function isShown(target: HTMLElement): boolean {
  const holder = target.closest('[role="tabpanel"]:not([data-active]), [data-view]:not([data-active])')
  return holder === null
}

/** Scrolls only the list, never the page. */
function keepInSight(item: HTMLElement | undefined): void {
  const box = one('#table-of-contents')
  if (!item || !box || box.scrollHeight <= box.clientHeight) return
  const top = item.offsetTop - box.clientHeight / 2
  box.scrollTo({ top, behavior: 'instant' })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
