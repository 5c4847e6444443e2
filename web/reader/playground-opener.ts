/** Opens the API playground by its button or `?playground=open`, loading it on demand. */
import { delegateClick, findElement, linkedFile, loadScript, loadStyle } from './dom.ts'

/** Global that the playground script defines for this script. */
interface PlaygroundGlobal {
  __octavoOpenPlayground?: (server: string | null) => void
}

export function initPlaygroundOpener(): void {
  const button = findElement('.try-button')
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
    ;(globalThis as PlaygroundGlobal).__octavoOpenPlayground?.(findElement('.api-base')?.textContent ?? null)
  }
  delegateClick('.try-button', () => void open())
  if (new URLSearchParams(location.search).get('playground') === 'open') void open()
}
