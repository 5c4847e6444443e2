/** Server selection of an API: updates the URL in the endpoint line and in all samples. */
import { delegateClick, findElement, findElements } from './dom.ts'

export function initServers(): void {
  delegateClick('[data-server]', (button) => {
    const menu = button.closest<HTMLDetailsElement>('details.api-servers')
    const base = menu ? findElement('.api-base', menu) : null
    const chosen = button.dataset.server
    if (!menu || !base || chosen === undefined) return
    const before = base.textContent ?? ''
    for (const sample of findElements('#request-example code')) replaceText(sample, before, chosen)
    base.textContent = chosen
    for (const other of findElements('[data-server]', menu)) {
      other.setAttribute('aria-pressed', String(other === button))
    }
    menu.open = false
    findElement('summary', menu)?.focus()
  })
}

/** Highlighting splits a line into several elements; a URL is always within one of them. */
function replaceText(root: HTMLElement, before: string, after: string): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeValue?.includes(before)) node.nodeValue = node.nodeValue.replace(before, after)
  }
}
