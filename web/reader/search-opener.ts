/** Opens search by button, Ctrl/Cmd+K or `/`. The script and index are loaded on first use. */
import { delegateClick, findElement, findElements, linkedFile, loadScript } from './dom.ts'
import type { SearchLocation } from './search-index.ts'

export interface SearchLabels {
  prompt: string
  empty: string
  hint: string
  start: string
  recent: string
  failed: string
  nearest: string
  clear: string
  close: string
  title: string
}

type SearchOptions = SearchLocation & { labels: SearchLabels }

/** Globals that the search script defines for this script. */
export interface SearchGlobal {
  __octavoOpenSearch?: (options: SearchOptions & { query: string }) => void
  __octavoSuggestPages?: (options: SearchOptions & { into: Element }) => Promise<void>
}

export function initSearchOpener(): void {
  const button = findElement('#search-bar-entry')
  const script = linkedFile('search')
  const link = findElement<HTMLLinkElement>('link[rel="octavo-index"]')
  const index = link?.href
  if (!button) return
  if (!script || !index) {
    for (const entry of findElements('.search-entry')) entry.hidden = true
    return
  }
  const isMac = /Mac|iP(?:hone|ad|od)/.test(navigator.platform)
  const keys = findElement('.search-entry-keys', button)
  if (keys && isMac) keys.textContent = '⌘K'
  const labels = JSON.parse(button.dataset.labels ?? '{}') as SearchLabels

  const options: SearchOptions = {
    index,
    root: index.slice(0, index.indexOf('/_octavo/') + 1),
    indexes: linkedFile('indexes'),
    language: link?.hreflang ?? 'en',
    version: link?.dataset.version ?? null,
    labels,
  }
  const open = async (query = '') => {
    try {
      await loadScript(script)
    } catch {
      alert(labels.failed)
      return
    }
    ;(globalThis as SearchGlobal).__octavoOpenSearch?.({ ...options, query })
  }
  // Starts loading when the pointer approaches the button.
  for (const entry of findElements('.search-entry')) {
    entry.addEventListener('pointerenter', () => void loadScript(script).catch(() => {}), { once: true })
  }
  delegateClick('.search-entry', () => void open())
  document.addEventListener('keydown', (event) => {
    const isShortcut =
      event.key.toLowerCase() === 'k' && (isMac ? event.metaKey : event.ctrlKey) && !event.shiftKey
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)
    if (!isShortcut && !isSlash) return
    event.preventDefault()
    void open()
  })
  const missing = findElement('.not-found-container')
  if (missing)
    loadScript(script)
      .then(() => (globalThis as SearchGlobal).__octavoSuggestPages?.({ ...options, into: missing }))
      // If the index cannot be loaded, the page is left unchanged.
      .catch(() => {})
  const asked = new URLSearchParams(location.search).get('search')
  if (asked !== null) void open(asked)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}
