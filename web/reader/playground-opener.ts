/** Opens the form of an operation, by its button or by `?playground=open`. All that it needs is loaded then. */
import { linkedFile, loadScript, loadStyle, onClick, one } from './dom.ts'

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
