/** Opens the form of an operation, by its button or by `?playground=open`. All that it needs is loaded then. */
import { linkedFile, loadScript, make, onClick, one } from './dom.ts'

/** What the script of the form offers to this one. */
interface PlaygroundGlobal {
  __octavoOpenPlayground?: (server: string | null) => void
}

export function playgroundOpener(): void {
  const button = one('.try-button')
  const files = ['words', 'data', 'script'].flatMap((name) => linkedFile(`playground-${name}`) ?? [])
  const style = linkedFile('playground-style')
  if (!button || style === null || files.length < 3) return
  const open = async () => {
    try {
      await Promise.all([loadStyle(style), ...files.map(loadScript)])
    } catch {
      alert(button.dataset.failed)
      return
    }
    ;(globalThis as PlaygroundGlobal).__octavoOpenPlayground?.(one('.api-base')?.textContent ?? null)
  }
  onClick('.try-button', () => void open())
  if (new URLSearchParams(location.search).get('playground') === 'open') void open()
}

/** Nothing is shown before its style is there. */
function loadStyle(href: string): Promise<void> {
  if (one(`link[rel="stylesheet"][href="${CSS.escape(href)}"]`)) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const link = make('link', { rel: 'stylesheet', href })
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(`could not load ${href}`))
    }
    document.head.append(link)
  })
}
