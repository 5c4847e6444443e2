/** Opens the assistant by button, Ctrl/Cmd+I or from selected text, loading it on demand. */
import { createElement, delegateClick, findElement, linkedFile, loadScript, loadStyle } from './dom.ts'

/** Global that the assistant script defines for this script. */
export interface AssistantGlobal {
  /** Opens the conversation, or renders it permanently in `container`. */
  __octavoAskAssistant?: (selection: string | null, container?: Element) => void
}

/** In characters; shorter selections are ignored as accidental, longer selections are truncated. */
const MIN_SELECTION_CHARACTERS = 3
const MAX_SELECTION_CHARACTERS = 2000

export function initAssistantOpener(): void {
  const button = findElement('.ask-button')
  const style = linkedFile('assistant-style')
  const files = ['words', 'script'].flatMap((name) => linkedFile(`assistant-${name}`) ?? [])
  if (!button || style === null || files.length < 2) return
  button.hidden = false
  const load = () => Promise.all([loadStyle(style), ...files.map(loadScript)])
  const begin: NonNullable<AssistantGlobal['__octavoAskAssistant']> = (...input) =>
    (globalThis as AssistantGlobal).__octavoAskAssistant?.(...input)
  const open = (selection: string | null) =>
    load().then(
      () => begin(selection),
      () => alert(button.dataset.failed),
    )
  const container = findElement('#ask-place')
  if (container) {
    load().then(
      () => begin(null, container),
      () => container.append(createElement('p', { class: 'ask-absent' }, button.dataset.failed ?? '')),
    )
  }
  delegateClick('.ask-button, [data-open-assistant]', () => void open(null))
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key.toLowerCase() === 'i' && (event.metaKey || event.ctrlKey)
    if (!isShortcut || event.shiftKey || event.altKey) return
    event.preventDefault()
    void open(readSelectedText() || null)
  })
  initSelectionButton(button.dataset.about ?? '', (text) => void open(text))
}

function readSelectedText(): string {
  const selection = getSelection()
  const content = findElement('#content-area')
  if (!selection || selection.isCollapsed || !content?.contains(selection.anchorNode)) return ''
  const text = selection.toString().trim()
  return text.length < MIN_SELECTION_CHARACTERS ? '' : text.slice(0, MAX_SELECTION_CHARACTERS)
}

/** Shows a button below the selected text until the selection changes. */
function initSelectionButton(label: string, callback: (text: string) => void): void {
  let button: HTMLButtonElement | null = null
  const hide = () => {
    button?.remove()
    button = null
  }
  const show = () => {
    const text = readSelectedText()
    if (text === '') return hide()
    const container = getSelection()?.getRangeAt(0).getBoundingClientRect()
    if (!container) return
    button ??= createElement('button', { type: 'button', class: 'ask-selection' }, label)
    // Prevents the click from clearing the selection before it is read.
    button.onpointerdown = (event) => event.preventDefault()
    button.onclick = () => {
      hide()
      callback(text)
    }
    button.style.top = `${scrollY + container.bottom + 6}px`
    button.style.left = `${Math.max(8, Math.min(scrollX + container.left, innerWidth - 220))}px`
    document.body.append(button)
  }
  document.addEventListener('pointerup', () => setTimeout(show))
  document.addEventListener('keyup', (event) => {
    if (event.shiftKey || event.key === 'Shift') show()
  })
  document.addEventListener('selectionchange', () => {
    if (getSelection()?.isCollapsed) hide()
  })
}
