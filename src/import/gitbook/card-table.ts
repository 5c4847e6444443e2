/** Converts rows of `<table data-view="cards">` to cards. */
import { attributeValue } from '../../render/html/addresses.ts'
import { type HtmlElement, type HtmlNode, parseHtml } from '../../render/html/parse-html.ts'
import { attribute } from '../markdown/tags.ts'

export interface CardLinks {
  link(address: string, use: 'link' | 'image'): string
}

export function cardTable(html: string, { link }: CardLinks): string {
  const elements = descendants(parseHtml(html))
  const columns = elements.filter(({ tag }) => tag === 'th').map(readColumnName)
  const rows = elements.filter(({ tag }) => tag === 'tr').map(listCells)
  const cards = rows
    .filter((cells) => cells.length > 0)
    .map((cells) => {
      const findAddress = (column: string) =>
        findFirstUrl(cells.filter((_, index) => columns[index]?.includes(column)))
      const target = findAddress('data-card-target') ?? findFirstUrl(cells)
      const cover = findAddress('data-card-cover')
      const words = cells
        .filter((_, index) => !columns[index]?.some((name) => name.startsWith('data-card')))
        .map(readText)
      const [title = '', ...rest] = words.filter((text) => text !== '')
      const head = `<Card${attribute('title', title)}${attribute('href', target && link(target, 'link'))}${attribute('img', cover && link(cover, 'image'))}>`
      return [
        head,
        ...rest.flatMap((text) => ['', escaped(text)]),
        ...(rest.length > 0 ? [''] : []),
        '</Card>',
      ].join('\n')
    })
  return `\n<CardGroup cols={${cards.length % 3 === 0 ? 3 : 2}}>\n${cards.join('\n')}\n</CardGroup>\n`
}

function readColumnName({ attributes }: HtmlElement): string[] {
  return attributes.flatMap((name, index) => (index % 2 === 0 && name !== null ? [name] : []))
}

/** Returns all descendants. The parser limits the depth of the recursion. */
function descendants({ children }: HtmlElement): HtmlElement[] {
  return children.filter(isElement).flatMap((element) => [element, ...descendants(element)])
}

function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node === 'object' && 'tag' in node
}

function listCells({ children }: HtmlElement): HtmlElement[] {
  return children.filter(isElement).filter(({ tag }) => tag === 'td')
}

function findFirstUrl(cells: readonly HtmlElement[]): string | null {
  for (const { attributes } of cells.flatMap((cell) => [cell, ...descendants(cell)])) {
    const found = attributeValue(attributes, 'href') ?? attributeValue(attributes, 'src')
    if (found) return found
  }
  return null
}

function readText(cell: HtmlElement): string {
  return listTexts(cell).join(' ').replace(/\s+/g, ' ').trim()
}

function listTexts({ children }: HtmlElement): string[] {
  return children.flatMap((node) =>
    typeof node === 'string' ? node : isElement(node) ? listTexts(node) : [],
  )
}

function escaped(text: string): string {
  return text.replace(/[{}<]/g, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`))
}
