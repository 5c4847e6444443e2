/**
 * HTML that is made once and differs from page to page in a few places only. A place is an attribute
 * ` data-slot="name"`; it is taken out, its offset is kept, and filling a slot is an insertion at that offset.
 */
import { SLOT } from '../../contract/navigation-script.ts'

export interface SlottedHtml {
  html: string
  /** Offsets by name, ascending. */
  slots: ReadonlyMap<string, readonly number[]>
}

/** Names must not hold characters that HTML escapes. */
export function slot(name: string): string {
  return ` data-slot="${name}"`
}

export function readSlots(source: string): SlottedHtml {
  const slots = new Map<string, number[]>()
  let html = ''
  let end = 0
  for (const match of source.matchAll(SLOT)) {
    html += source.slice(end, match.index)
    end = match.index + match[0].length
    const name = match[1] ?? ''
    const offsets = slots.get(name)
    if (offsets) offsets.push(html.length)
    else slots.set(name, [html.length])
  }
  return { html: html + source.slice(end), slots }
}

/** The HTML with each value inserted at every place of its slot; names without a place are ignored. */
export function fillSlots(slotted: SlottedHtml, values: ReadonlyMap<string, string>): string {
  const insertions: { offset: number; value: string }[] = []
  for (const [name, value] of values) {
    for (const offset of slotted.slots.get(name) ?? []) insertions.push({ offset, value })
  }
  insertions.sort((a, b) => a.offset - b.offset)
  let html = ''
  let end = 0
  for (const { offset, value } of insertions) {
    html += slotted.html.slice(end, offset) + value
    end = offset
  }
  return html + slotted.html.slice(end)
}
