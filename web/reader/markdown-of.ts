/**
 * Converts rendered content to Markdown that people and models can read, but that is not meant to be rendered again.
 */

const SKIPPED =
  '.tabs-bar, .heading-anchor, .code-block-copy-button, .code-block-expand, .code-wrap, svg, script, style, .view-bar'
const BLOCKS =
  /^(?:P|DIV|SECTION|UL|OL|LI|TABLE|PRE|BLOCKQUOTE|FIGURE|FIGCAPTION|DETAILS|SUMMARY|H[1-6]|HR|DL|DT|DD|ASIDE|HEADER)$/

export function toMarkdown(element: Element): string {
  return block(element)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function block(element: Element): string {
  let text = ''
  let line = ''
  const flush = () => {
    if (line.trim() !== '') text += `\n\n${line.trim().replace(/\s+/g, ' ')}`
    line = ''
  }
  for (const node of element.childNodes) {
    if (node instanceof Element && isSkipped(node)) continue
    if (node instanceof Element && BLOCKS.test(node.tagName)) {
      flush()
      text += `\n\n${blockElement(node)}`
    } else line += inline(node)
  }
  flush()
  return text.trim()
}

function blockElement(element: Element): string {
  const { tagName } = element
  if (/^H[1-6]$/.test(tagName)) return `${'#'.repeat(Number(tagName[1]))} ${inlineChildren(element).trim()}`
  if (element.classList.contains('step-title')) return `### ${inlineChildren(element).trim()}`
  if (element.getAttribute('role') === 'tabpanel') {
    return `**${element.getAttribute('data-title')}**\n\n${block(element)}`
  }
  if (tagName === 'PRE') return fence(element)
  if (tagName === 'HR') return '---'
  if (tagName === 'UL' || tagName === 'OL') return list(element)
  if (tagName === 'TABLE') return table(element)
  if (tagName === 'SUMMARY') return `**${inlineChildren(element).trim()}**`
  if (tagName === 'BLOCKQUOTE' || element.classList.contains('callout'))
    return prefixLines(block(element), '> ')
  return block(element)
}

function fence(element: Element): string {
  const language = element.closest<HTMLElement>('.code-block')?.dataset.language ?? ''
  const marks = element.textContent?.includes('```') ? '````' : '```'
  return `${marks}${language}\n${(element.textContent ?? '').replace(/\n$/, '')}\n${marks}`
}

function list(element: Element): string {
  return [...element.children]
    .map((item, index) => {
      const mark = element.tagName === 'OL' ? `${index + 1}. ` : '- '
      return mark + prefixLines(block(item), ' '.repeat(mark.length)).trimStart()
    })
    .join('\n')
}

function table(element: Element): string {
  const rows = [...element.querySelectorAll('tr')].map(
    (row) =>
      `| ${[...row.children].map((cell) => inlineChildren(cell).trim().replace(/\|/g, '\\|')).join(' | ')} |`,
  )
  const width = element.querySelector('tr')?.children.length ?? 0
  return [rows[0], `|${' --- |'.repeat(width)}`, ...rows.slice(1)].join('\n')
}

function inline(node: Node): string {
  if (!(node instanceof Element)) return node.textContent ?? ''
  if (isSkipped(node)) return ''
  const text = inlineChildren(node)
  if (node.tagName === 'BR') return '\n'
  if (node.tagName === 'CODE') return `\`${node.textContent}\``
  if (/^(?:STRONG|B)$/.test(node.tagName)) return `**${text}**`
  if (/^(?:EM|I)$/.test(node.tagName)) return `*${text}*`
  if (node instanceof HTMLImageElement) return `![${node.alt}](${node.src})`
  if (node instanceof HTMLAnchorElement && text) return `[${text}](${node.href})`
  return text
}

function inlineChildren(element: Element): string {
  return [...element.childNodes].map(inline).join('').replace(/\s+/g, ' ')
}

function prefixLines(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => prefix + line)
    .join('\n')
}

function isSkipped(element: Element): boolean {
  return element.matches(SKIPPED)
}
