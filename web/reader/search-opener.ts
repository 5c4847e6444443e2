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

/** Global that the search script defines for this one. */
export interface SearchGlobal {
  __octavoOpenSearch?: (options: SearchLocation & { labels: SearchLabels; query: string }) => void
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

  const open = async (query = '') => {
    try {
      await loadScript(script)
    } catch {
      alert(labels.failed)
      return
    }
    ;(globalThis as SearchGlobal).__octavoOpenSearch?.({
      index,
      root: index.slice(0, index.indexOf('/_octavo/') + 1),
      indexes: linkedFile('indexes'),
      language: link?.hreflang ?? 'en',
      version: link?.dataset.version ?? null,
      labels,
      query,
    })
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
  const asked = new URLSearchParams(location.search).get('search')
  if (asked !== null) void open(asked)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}
