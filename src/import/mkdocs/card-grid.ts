/** `<div class="grid cards" markdown>` around a list, as cards. */
import type { Line } from '../markdown/blocks.ts'
import { dedent, indented } from '../markdown/blocks.ts'
import { attribute } from '../markdown/tags.ts'
import { plainTitle } from '../page-file.ts'
import { iconOf } from './inline-marks.ts'

const OPENING = /^([ \t]*)<div\b[^<>]{0,200}\bclass="([^"<>]{0,100})"[^<>]{0,200}>[ \t]*$/
const ITEM = /^[-*+][ \t]{1,4}/

/** Lines of MkDocs to lines of MDX. */
type ConvertLines = (lines: readonly Line[]) => string[]

export function cardGrid(
  convert: ConvertLines,
  lines: readonly Line[],
  at: number,
): { out: string[]; length: number } | null {
  const { text = '' } = lines[at] ?? {}
  const found = text.includes('grid') ? OPENING.exec(text.slice(0, 600)) : null
  const names = found?.[2]?.split(/\s+/) ?? []
  if (!found || !names.includes('grid') || !/\bmarkdown\b/.test(text)) return null
  const end = closing(lines, at)
  if (end === -1) return null
  const indent = found[1] ?? ''
  const inside = lines.slice(at + 1, end).map((line) => ({ ...line, text: dedent(line.text, indent.length) }))
  const isCards = names.includes('cards') && inside.some((line) => ITEM.test(line.text))
  const out = isCards
    ? ['<CardGroup cols={2}>', ...itemsOf(inside).flatMap((item) => card(convert, item)), '</CardGroup>']
    : ['<Columns cols={2}>', '', ...convert(inside), '', '</Columns>']
  return { out: indented(indent, ['', ...out, '']), length: end - at + 1 }
}

function closing(lines: readonly Line[], at: number): number {
  let depth = 0
  for (let next = at; next < lines.length; next++) {
    const { text } = lines[next] as Line
    if (/<div\b/.test(text)) depth++
    if (text.includes('</div>')) depth--
    if (depth === 0) return next
  }
  return -1
}

function itemsOf(lines: readonly Line[]): Line[][] {
  const items: Line[][] = []
  for (const line of lines) {
    const mark = ITEM.exec(line.text)?.[0]
    if (mark !== undefined) items.push([{ ...line, text: line.text.slice(mark.length) }])
    else items.at(-1)?.push({ ...line, text: dedent(line.text, 4) })
  }
  return items
}

/** A first line in bold is the title; an icon before it that of the card; a rule below it means nothing more. */
function card(convert: ConvertLines, item: readonly Line[]): string[] {
  const [first] = item
  const head = (first?.text ?? '').replace(/\{[^{}]*\}/g, '').trim()
  const found = /^(?::([\w-]{1,80}):[ \t]{0,5})?(?:\*\*|__)([^*_]{1,300})(?:\*\*|__)$/.exec(head)
  if (!found) return ['<Card>', '', ...convert(item), '', '</Card>']
  const icon = iconOf(found[1] ?? '')
  const shortName =
    found[1] !== undefined && icon === null ? [{ text: `:${found[1]}:`, number: first?.number ?? 0 }] : []
  const body = [...shortName, ...item.slice(1)].filter(({ text }) => !/^\s*(?:---|\*\*\*|___)\s*$/.test(text))
  return [
    `<Card${attribute('title', plainTitle(found[2] ?? ''))}${attribute('icon', icon)}>`,
    '',
    ...convert(body),
    '',
    '</Card>',
  ]
}
