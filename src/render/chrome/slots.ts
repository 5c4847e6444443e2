/** Text that is made once and differs from page to page in a few places only, which may be among thousands. */
import type { Markup } from '../html/markup.ts'

export interface SlottedText {
  /** With nothing in the slots. */
  text: string
  /** Offsets by name, ascending. */
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

/** The text with each value inserted at every place of its slot; names without a place are ignored. */
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
