/** Code blocks: copy, expand and wrap lines. */
import { announce, createElement, delegateClick, findElement, findElements } from './dom.ts'
import { emitReadingEvent } from './reading-events.ts'
import { KEYS, readStored, writeStored } from './storage.ts'

/** Duration of the confirmation on a button, in ms. */
const DONE_MS = 1600

export function initCopyButtons(): void {
  delegateClick('.code-block-copy-button', (button) => {
    const frame = button.closest('.code-block, [data-tabs], .api-panel')
    const holder = frame?.matches('[data-tabs]') ? findElement('.tab-panel[data-active]', frame) : frame
    // The panel of a tab may contain nested tabs; then the code of the active nested tab is copied.
    emitReadingEvent({ kind: 'copy' })
    void copyWithNotice(
      button,
      readCodeText(findElement('.tab-panel[data-active]', holder ?? document) ?? holder),
    )
  })
  delegateClick('[data-copy]', (element) => {
    const isDark = document.documentElement.classList.contains('dark')
    void copyWithNotice(element, (isDark ? element.dataset.copyDark : null) ?? element.dataset.copy ?? '')
  })
  delegateClick('.prompt-copy', (button) => {
    void copyWithNotice(
      button,
      findElement('.prompt-text pre', button.parentElement ?? document)?.textContent ?? '',
    )
  })
}

export async function copyWithNotice(button: HTMLElement, text: string): Promise<void> {
  if (!(await writeClipboard(text))) return
  button.dataset.done = ''
  announce(findElement('#content-area')?.dataset.copied ?? 'Copied')
  setTimeout(() => delete button.dataset.done, DONE_MS)
}

export function initCollapsedCode(): void {
  delegateClick('.code-block-expand', (button) => {
    const block = button.closest('.code-block')
    const isOpen = block?.toggleAttribute('data-folded') === false
    button.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) block?.scrollIntoView({ block: 'nearest' })
  })
  // Expands a block when keyboard focus or find-in-page reaches its hidden part.
  document.addEventListener('focusin', (event) => {
    const pre =
      event.target instanceof Element ? event.target.closest('.code-block[data-folded] > pre') : null
    if (pre?.matches(':focus-visible'))
      findElement('.code-block-expand', pre.parentElement ?? document)?.click()
  })
}

/** Adds a wrap button to overflowing blocks on small screens; the choice applies to all blocks. */
export function initWrapButtons(): void {
  const narrow = matchMedia('(width < 768px)')
  const apply = (isOn: boolean) => {
    for (const block of findElements('.code-block:not([data-wrap="true"])'))
      block.toggleAttribute('data-wrap', isOn)
    for (const button of findElements('.code-wrap')) button.setAttribute('aria-pressed', String(isOn))
  }
  const add = () => {
    if (!narrow.matches) return
    for (const block of findElements('.code-block:not(:has(> .code-wrap))')) {
      const pre = findElement('pre', block)
      if (!pre || pre.scrollWidth <= pre.clientWidth + 8) continue
      const label = findElement('#content-area')?.dataset.wrapLabel ?? 'Wrap lines'
      const container =
        findElement('.tabs-bar, .api-panel-bar', block.closest('.code-group') ?? block) ?? block
      if (findElement(':scope > .code-wrap', container)) continue
      const look = { class: 'code-wrap', 'aria-pressed': 'false', 'aria-label': label, title: label }
      container.insertBefore(
        createElement('button', { type: 'button', ...look }),
        findElement(':scope > .code-block-copy-button', container),
      )
    }
    if (readStored(KEYS.wrap) === '1') apply(true)
  }
  add()
  narrow.addEventListener('change', add)
  delegateClick('.code-wrap', (button) => {
    const isOn = button.getAttribute('aria-pressed') !== 'true'
    writeStored(KEYS.wrap, isOn ? '1' : '')
    apply(isOn)
  })
}

function readCodeText(holder: Element | null): string {
  const code = holder ? findElement('pre code', holder) : null
  if (!code) return ''
  const removed = code.cloneNode(true) as HTMLElement
  for (const line of findElements('.line-remove', removed)) {
    if (line.nextSibling?.nodeType === Node.TEXT_NODE) line.nextSibling.remove()
    line.remove()
  }
  return removed.textContent?.replace(/\u200b/g, '') ?? ''
}

/** Copies text; pages opened from disk cannot use the clipboard API directly. */
async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = createElement('textarea', { readonly: '', style: 'position:fixed;top:0;opacity:0' })
    field.value = text
    const holder = findElement('dialog[open]') ?? document.body
    const focused = document.activeElement
    holder.append(field)
    field.select()
    const isDone = document.execCommand('copy')
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    return isDone
  }
}
