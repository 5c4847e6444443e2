/** Playground script: the form of the page's operation in a dialog. Loaded on first use; works from disk. */
import { render } from 'preact'
import type { PLAYGROUND_GLOBAL, PlaygroundData } from '../../../src/openapi/playground-data.ts'
import { Playground } from './app.tsx'
import { ChannelPanel } from './channel-panel.tsx'

let dialog: HTMLDialogElement | null = null

Object.assign(globalThis, {
  __octavoOpenPlayground(server: string | null) {
    const data = (globalThis as { [PLAYGROUND_GLOBAL]?: PlaygroundData }).__octavoPlayground
    if (!data) return
    dialog ??= createDialog(data, server)
    if (!dialog.open) dialog.showModal()
    updateUrl(true)
  },
})

/** Created once; closing the dialog preserves its input. */
function createDialog(data: PlaygroundData, server: string | null): HTMLDialogElement {
  const made = document.createElement('dialog')
  made.className = 'try-dialog'
  made.setAttribute('aria-labelledby', 'try-title')
  made.addEventListener('close', () => updateUrl(false))
  document.body.append(made)
  const Form = data.messages === null ? Playground : ChannelPanel
  render(<Form data={data} server={server} onClose={() => made.close()} />, made)
  return made
}

/** Updates the URL so that it opens the dialog again. */
function updateUrl(isOpen: boolean): void {
  const url = new URL(location.href)
  if (isOpen) url.searchParams.set('playground', 'open')
  else url.searchParams.delete('playground')
  try {
    history.replaceState(history.state, '', url)
  } catch {
    // Pages opened from disk cannot change their URL.
  }
}
