/** Converts rows of `<table data-view="cards">` to cards. */
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { attribute } from '../markdown/tags.ts'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

export interface CardLinks {
  link(address: string, use: 'link' | 'image'): string
}

export function cardTable(html: string, { link }: CardLinks): string {
  const root = parseFragment(html)
  const elements = descendants(root.childNodes, 0)
  const columns = elements.filter(({ tagName }) => tagName === 'th').map(readColumnName)
  const rows = elements.filter(({ tagName }) => tagName === 'tr').map(listCells)
  const cards = rows
    .filter((cells) => cells.length > 0)
    .map((cells) => {
      const findAddress = (column: string) =>
        firstAddress(cells.filter((_, index) => columns[index]?.includes(column)))
      const target = findAddress('data-card-target') ?? firstAddress(cells)
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

const MAX_DEPTH = 100

function descendants(nodes: readonly Node[], depth: number): Element[] {
  if (depth > MAX_DEPTH) return []
  return nodes.flatMap((node) =>
    'tagName' in node ? [node, ...descendants(node.childNodes, depth + 1)] : [],
  )
}

function listCells(row: Element): Element[] {
  return row.childNodes.filter((node): node is Element => 'tagName' in node && node.tagName === 'td')
}

function readColumnName({ attrs }: Element): string[] {
  return attrs.map(({ name }) => name)
}

function firstAddress(cells: readonly Element[]): string | null {
  for (const element of descendants(cells, 0)) {
    const found = element.attrs.find(({ name }) => name === 'href' || name === 'src')?.value
    if (found) return found
  }
  return null
}

function readText(cell: Element): string {
  const texts: string[] = []
  const collect = (nodes: readonly Node[], depth: number) => {
    for (const node of nodes) {
      if ('value' in node) texts.push(node.value)
      else if ('childNodes' in node && depth < MAX_DEPTH) collect(node.childNodes, depth + 1)
    }
  }
  collect(cell.childNodes, 0)
  return texts.join(' ').replace(/\s+/g, ' ').trim()
}

function escaped(text: string): string {
  return text.replace(/[{}<]/g, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`))
}
