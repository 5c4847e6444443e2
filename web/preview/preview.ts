/**
 * Script of previewed pages: reloads a page when the server has a newer version, restores the scroll position, and
 * shows the page's problems.
 */
import { PREVIEW_EVENTS, type PreviewNotes, type PreviewVersion } from '../../src/base/api/preview.ts'
import { createNotesView } from './notes-view.ts'

const SCROLL_KEY = 'octavo-preview-scroll'

const version = (document.currentScript as HTMLScriptElement | null)?.dataset.version ?? ''
let source: EventSource | null = null

whenBodyIsReady(() => {
  restoreScroll()
  const view = createNotesView()
  const connect = () => {
    source?.close()
    source = null
    // Browsers limit the connections per server, so only visible pages are connected.
    if (document.visibilityState !== 'visible') return
    source = new EventSource(`${PREVIEW_EVENTS}?page=${encodeURIComponent(pagePath())}`)
    source.addEventListener('version', (event) => {
      if ((JSON.parse(event.data) as PreviewVersion).version !== version) reload()
    })
    source.addEventListener('notes', (event) => view.show(JSON.parse(event.data) as PreviewNotes))
  }
  document.addEventListener('visibilitychange', connect)
  addEventListener('pageshow', (event) => event.persisted && connect())
  connect()
})

function whenBodyIsReady(work: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', work, { once: true })
  else work()
}

function pagePath(): string {
  try {
    return decodeURIComponent(location.pathname)
  } catch {
    return location.pathname
  }
}

function reload(): void {
  source?.close()
  storeValue(SCROLL_KEY, JSON.stringify({ path: location.pathname, top: scrollY }))
  location.reload()
}

function restoreScroll(): void {
  const stored = takeStoredValue(SCROLL_KEY)
  if (stored === null) return
  const { path, top } = JSON.parse(stored) as { path: string; top: number }
  if (path !== location.pathname) return
  const scroll = () => scrollTo({ top, behavior: 'instant' })
  scroll()
  addEventListener('load', scroll, { once: true })
}

/** Stores a value. Without storage, a reloaded page starts at the top. */
function storeValue(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {}
}

function takeStoredValue(key: string): string | null {
  try {
    const value = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return value
  } catch {
    return null
  }
}
