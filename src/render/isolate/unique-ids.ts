/** Assigns unique ids to headings and other anchors of a page, by adding a number to repeated ones. */
import { IDS_BEFORE_TEXT } from '../tree/chrome-ids.ts'
import { githubSlug, punctuatedSlug } from '../tree/slug.ts'

export function createIds() {
  const usedIds = new Set<string>(IDS_BEFORE_TEXT)
  const aliases = new Set<string>()
  const order: { id: string; among: Set<string> }[] = []
  const note = (id: string, among: Set<string>) => {
    among.add(id)
    order.push({ id, among })
  }
  const claim = (wanted: string): string => {
    let id = wanted
    for (let count = 2; usedIds.has(id); count++) id = `${wanted}-${count}`
    note(id, usedIds)
    return id
  }
  return {
    claim,
    otherAnchor: (id: string) => (id === '' || usedIds.has(id) ? null : claim(id)),
    headingAliases(text: string, id: string): string[] {
      const free = [...new Set([githubSlug(text), punctuatedSlug(text)])].filter(
        (one) => one !== '' && one !== id && !usedIds.has(one) && !aliases.has(one),
      )
      for (const alias of free) note(alias, aliases)
      return free
    },
    lostAliases: () => [...aliases].filter((alias) => usedIds.has(alias)),
    count: () => order.length,
    keep(count: number) {
      for (const { id, among } of order.splice(count)) among.delete(id)
    },
  }
}
