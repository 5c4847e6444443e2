/**
 * Copies the page as Markdown, generated from the DOM, so that it works from disk without a server. Also
 * prints the page.
 */
import { copyWithNotice } from './code.ts'
import { delegateClick, findElement } from './dom.ts'
import { toMarkdown } from './markdown-of.ts'

export function initCopyPage(): void {
  delegateClick('[data-print-page]', () => print())
  delegateClick('[data-copy-page]', (button) => {
    const label = findElement('.page-action-label', button)
    const before = label?.textContent ?? ''
    void copyWithNotice(button, readPageText()).then(() => {
      if (!label || button.dataset.done === undefined) return
      label.textContent = button.dataset.copied ?? before
      setTimeout(() => {
        label.textContent = before
      }, 1600)
    })
  })
}

function readPageText(): string {
  const title = findElement('#page-title')
  const description = findElement('.page-description')?.textContent?.trim()
  const content = findElement('#content')
  const side = findElement('.side-inner')
  return [
    title ? `# ${toMarkdown(title)}` : '',
    description ? `> ${description}` : '',
    content ? toMarkdown(content) : '',
    side ? toMarkdown(side) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
