/** Extracts the words of a rendered page: its title, description and text, without the surrounding layout. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

export function wordsOfPage(html: string): string[] {
  const found: string[] = []
  const collect = (node: Node, isInside: boolean): void => {
    if (node.nodeName === '#text' && isInside) found.push((node as DefaultTreeAdapterTypes.TextNode).value)
    if (!('childNodes' in node)) return
    const attribute = (name: string) => attributeOf(node, name)
    // Formulas and icons have a second, visual copy, which is hidden from screen readers.
    if (attribute('aria-hidden') === 'true' || node.nodeName === 'script') return
    const inside = isInside || attribute('class') === 'page-header' || attribute('id') === 'content'
    if (inside && node.nodeName !== 'button') found.push(attribute('alt') ?? '', attribute('title') ?? '')
    for (const child of node.childNodes) collect(child, inside)
  }
  collect(parse(html), false)
  return wordsIn(found.join(' '))
}

function attributeOf(node: Node, name: string): string | undefined {
  return 'attrs' in node ? (node as Element).attrs.find((one) => one.name === name)?.value : undefined
}

/** Returns the words of `before` that are missing from `after`, counting repetitions. */
export function missingWords(before: readonly string[], after: readonly string[]): string[] {
  const left = Map.groupBy(after, (word) => word)
  return before.filter((word) => left.get(word)?.pop() === undefined)
}
