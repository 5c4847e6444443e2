/** Markdown of a model as nodes: paragraphs, lists, code and emphasis. Nothing of it becomes markup, no link is followed. */
import { make } from '../dom.ts'

export function markdownNodes(text: string): Node[] {
  const nodes: Node[] = []
  for (const [index, part] of text.split(/^```[^\n]*$/m).entries()) {
    if (index % 2 === 1)
      nodes.push(make('pre', { tabindex: '0' }, make('code', {}, part.replace(/^\n|\n$/g, ''))))
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
        return make('p', {}, ...inlineNodes(block.replace(/^#{1,6}\s+/, '')))
      const tag = /^\s*\d/.test(block) ? 'ol' : 'ul'
      return make(tag, {}, ...lines.map((line) => make('li', {}, ...inlineNodes(line.replace(ITEM, '')))))
    })
}

/** Code first: nothing within it is emphasis. A link is its words and its address, as text. */
function inlineNodes(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|!?\[[^\]]*\]\([^)\s]*\))/).map((part) => {
    if (/^`[^`]+`$/.test(part)) return make('code', {}, part.slice(1, -1))
    if (/^\*\*[^*]+\*\*$/.test(part)) return make('strong', {}, part.slice(2, -2))
    const [, words, address] = /^!?\[([^\]]*)\]\(([^)\s]*)\)$/.exec(part) ?? []
    return words === undefined ? part : `${words} (${address})`
  })
}
