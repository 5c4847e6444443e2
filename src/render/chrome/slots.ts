/** Text that is rendered once and differs between pages only in slots. */
import type { Markup } from '../html/markup.ts'

export interface SlottedText {
  text: string
  /** Ascending offsets by slot name. */
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
    if (piece.kind !== 'slot') throw new Error(`unresolved slot of kind ${piece.kind} in finished markup`)
    const offsets = slots.get(piece.name) ?? []
    offsets.push(text.length)
    slots.set(piece.name, offsets)
  }
  return { text, slots }
}

/** Inserts values at all positions of their slots. Ignores unknown names. */
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
