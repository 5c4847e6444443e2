/** Renders a model's Markdown as DOM nodes: paragraphs, lists, code and emphasis; no HTML and no active links. */
import { createElement } from '../dom.ts'

export function markdownNodes(text: string): Node[] {
  const nodes: Node[] = []
  for (const [index, part] of text.split(/^```[^\n]*$/m).entries()) {
    if (index % 2 === 1)
      nodes.push(
        createElement('pre', { tabindex: '0' }, createElement('code', {}, part.replace(/^\n|\n$/g, ''))),
      )
    else nodes.push(...blockNodes(part))
  }
  return nodes
}

const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/

function blockNodes(text: string): Node[] {
  return text
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => {
      const lines = block.split('\n')
      if (!lines.every((line) => ITEM.test(line)))
        return createElement('p', {}, ...inlineNodes(block.replace(/^#{1,6}\s+/, '')))
      const tag = /^\s*\d/.test(block) ? 'ol' : 'ul'
      return createElement(
        tag,
        {},
        ...lines.map((line) => createElement('li', {}, ...inlineNodes(line.replace(ITEM, '')))),
      )
    })
}

/** Parses code first, because it contains no emphasis. A link becomes its text and URL, as plain text. */
function inlineNodes(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|!?\[[^\]]*\]\([^)\s]*\))/).map((part) => {
    if (/^`[^`]+`$/.test(part)) return createElement('code', {}, part.slice(1, -1))
    if (/^\*\*[^*]+\*\*$/.test(part)) return createElement('strong', {}, part.slice(2, -2))
    const [, words, address] = /^!?\[([^\]]*)\]\(([^)\s]*)\)$/.exec(part) ?? []
    return words === undefined ? part : `${words} (${address})`
  })
}
