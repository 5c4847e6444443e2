/** Text rendered once that differs between pages in a few positions only, out of possibly thousands. */
import type { Markup } from '../html/markup.ts'

export interface SlottedText {
  /** Text with empty slots. */
  text: string
  /** Offsets by slot name, ascending. */
  slots: ReadonlyMap<string, readonly number[]>
}

export function slot(name: string): Markup {
  return [{ kind: 'slot', name }]
}

export function slottedText(finished: Markup): SlottedText {
  const slots = new Map<string, number[]>()
  let text = ''
  for (const piece of finished) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    if (piece.kind !== 'slot') throw new Error(`a place of kind ${piece.kind} is open in finished markup`)
    const offsets = slots.get(piece.name) ?? []
    offsets.push(text.length)
    slots.set(piece.name, offsets)
  }
  return { text, slots }
}

/** Inserts each value at all positions of its slot; unknown names are ignored. */
export function fillSlots({ text, slots }: SlottedText, values: ReadonlyMap<string, string>): string {
  const insertions = [...values].flatMap(([name, value]) =>
    (slots.get(name) ?? []).map((offset) => ({ offset, value })),
  )
  let filled = ''
  let end = 0
  for (const { offset, value } of insertions.sort((a, b) => a.offset - b.offset)) {
    filled += text.slice(end, offset) + value
    end = offset
  }
  return filled + text.slice(end)
}
