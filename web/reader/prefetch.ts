/** Prefetches a page when the pointer rests on its link. */

/** In milliseconds. Prevents prefetching when the pointer only passes by. */
const HOVER_DELAY_MS = 65

export function prefetchLinks(): void {
  if (!location.protocol.startsWith('http')) return
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return
  const done = new Set<string>()
  let timer = 0
  document.addEventListener('pointerover', (event) => {
    clearTimeout(timer)
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (!link || link.origin !== location.origin || link.pathname === location.pathname || link.download)
      return
    const address = link.origin + link.pathname
    if (done.has(address)) return
    timer = setTimeout(() => {
      done.add(address)
      const hint = document.createElement('link')
      hint.rel = 'prefetch'
      hint.href = address
      document.head.append(hint)
    }, HOVER_DELAY_MS)
  })
}
