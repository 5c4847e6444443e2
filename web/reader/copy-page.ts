/**
 * Copies the page as Markdown, generated from the DOM, so that it works from disk without a server. Also prints it.
 */
import { copy } from './code.ts'
import { onClick, one } from './dom.ts'
import { markdownOf } from './markdown-of.ts'

export function copyPage(): void {
  onClick('[data-print-page]', () => print())
  onClick('[data-copy-page]', (button) => {
    const label = one('.page-action-label', button)
    const before = label?.textContent ?? ''
    void copy(button, pageText()).then(() => {
      if (!label || button.dataset.done === undefined) return
      label.textContent = button.dataset.copied ?? before
      setTimeout(() => {
        label.textContent = before
      }, 1600)
    })
  })
}

function pageText(): string {
  const title = one('#page-title')
  const description = one('.page-description')?.textContent?.trim()
  const content = one('#content')
  const side = one('.side-inner')
  return [
    title ? `# ${markdownOf(title)}` : '',
    description ? `> ${description}` : '',
    content ? markdownOf(content) : '',
    side ? markdownOf(side) : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
