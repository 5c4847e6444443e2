/**
 * Small edits of JSON text that preserve everything else: indentation, order, line breaks. The text must be valid
 * JSON; offsets point to the first character of a value.
 */
import { isFields, isList, type JsonNode, parseJson } from '../../../site/json.ts'

interface Span {
  start: number
  /** Exclusive. */
  end: number
}

export interface ItemStyle {
  isOnOwnLine: boolean
  indent: string
  unit: string
  lineBreak: string
}

export function findSpans(text: string, offset: number): { spans: Span[]; close: number } {
  const node = parseNodeAt(text, offset)
  return { spans: childrenOf(node).map(({ offset: start, end }) => ({ start, end })), close: node.end - 1 }
}

/** Inserts an item before the item at `index`, or at the end. */
export function insertItem(
  text: string,
  offset: number,
  index: number,
  write: (style: ItemStyle) => string,
): string {
  const { spans, close } = findSpans(text, offset)
  const style = detectStyle(text, offset, spans)
  const item = write(style)
  const gap = style.isOnOwnLine ? style.lineBreak + style.indent : ' '
  const next = spans[index]
  if (next) return `${text.slice(0, next.start)}${item},${gap}${text.slice(next.start)}`
  const last = spans.at(-1)
  if (last) return `${text.slice(0, last.end)},${gap}${item}${text.slice(last.end)}`
  const before = style.isOnOwnLine ? gap : ''
  const after = style.isOnOwnLine ? style.lineBreak + indentAt(text, offset) : ''
  return `${text.slice(0, offset + 1)}${before}${item}${after}${text.slice(close)}`
}

export function removeItem(text: string, offset: number, index: number): string {
  const { spans, close } = findSpans(text, offset)
  const [before, span, next] = [spans[index - 1], spans[index], spans[index + 1]]
  if (!span) throw new RangeError(`there is no item ${index}`)
  if (next) return text.slice(0, span.start) + text.slice(next.start)
  if (before) return text.slice(0, before.end) + text.slice(span.end)
  return text.slice(0, offset + 1) + text.slice(close)
}

export function replaceValue(text: string, offset: number, value: string): string {
  return text.slice(0, offset) + value + text.slice(parseNodeAt(text, offset).end)
}

export function writeValue(value: unknown, style: ItemStyle): string {
  if (!style.isOnOwnLine) return JSON.stringify(value)
  return JSON.stringify(value, null, style.unit).replaceAll('\n', style.lineBreak + style.indent)
}

export function reindentText(text: string, { start, end }: Span, style: ItemStyle): string {
  const lines = text.slice(start, end).split(/\r?\n/)
  const oldIndent = indentAt(text, start)
  const moved = lines.map((line, index) => {
    if (index === 0) return line
    return style.indent + (line.startsWith(oldIndent) ? line.slice(oldIndent.length) : line.trimStart())
  })
  return moved.join(style.lineBreak)
}

function detectStyle(text: string, offset: number, spans: readonly Span[]): ItemStyle {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  if (spans.length === 0) {
    const indent = indentAt(text, offset) + unit
    return { isOnOwnLine: text.trimEnd().includes('\n'), indent, unit, lineBreak }
  }
  const first = offset + 1 + text.slice(offset + 1).search(/\S/) // the key, for a member
  const isOnOwnLine = text.slice(offset, first).includes('\n')
  return { isOnOwnLine, indent: indentAt(text, first), unit, lineBreak }
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? ''
}

function parseNodeAt(text: string, offset: number): JsonNode {
  let node = parseJson([], '', text) ?? undefined
  while (node && node.offset !== offset) {
    node = childrenOf(node).find((child) => child.offset <= offset && offset < child.end)
  }
  if (!node) throw new RangeError(`no value begins at ${offset}`)
  return node
}

function childrenOf({ value }: JsonNode): readonly JsonNode[] {
  if (isFields(value)) return [...value.values()]
  return isList(value) ? value : []
}
