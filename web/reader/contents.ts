/** Table of contents: highlights the current section; on small screens, it opens from a single line. */
import { findElement, findElements } from './dom.ts'

/** Distance below the header, in pixels, at which a heading counts as reached. */
const REACHED_OFFSET_PX = 96

export function initTableOfContents(): void {
  const list = findElement('#table-of-contents-content')
  const button = findElement('.toc-title')
  if (!list || !button) return
  button.addEventListener('click', () => {
    if (matchMedia('(width >= 1280px)').matches) scrollTo({ top: 0, behavior: 'smooth' })
    else button.setAttribute('aria-expanded', String(button.getAttribute('aria-expanded') !== 'true'))
  })
  const entries = findElements<HTMLLIElement>('.toc-item', list).flatMap((item) => {
    const link = findElement<HTMLAnchorElement>('a', item)
    const target = link ? document.getElementById(decode(link.hash.slice(1))) : null
    return target ? [{ item, target }] : []
  })
  if (entries.length === 0) return

  let isUpdateScheduled = false
  const update = () => {
    isUpdateScheduled = false
    const line = REACHED_OFFSET_PX + (findElement('#navbar')?.offsetHeight ?? 0)
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
    scrollEntryIntoView(active?.item)
  }
  const scheduleUpdate = () => {
    if (isUpdateScheduled) return
    isUpdateScheduled = true
    requestAnimationFrame(update)
  }
  addEventListener('scroll', scheduleUpdate, { passive: true })
  addEventListener('resize', scheduleUpdate)
  document.addEventListener('click', scheduleUpdate)
  update()
}

/**
 * Returns false for content of an inactive tab or view. Accordions count as shown, because their entries in
 * the table of contents open them.
 */
function isShown(target: HTMLElement): boolean {
  const holder = target.closest('[role="tabpanel"]:not([data-active]), [data-view]:not([data-active])')
  return holder === null
}

/** Scrolls only the list, never the page. */
function scrollEntryIntoView(item: HTMLElement | undefined): void {
  const box = findElement('#table-of-contents')
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
