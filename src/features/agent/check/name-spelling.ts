/** Names as the site writes them: another spelling of one in capitals, spaces or hyphens is a mistake. */
import type { Site } from '../../../site/model.ts'
import type { Found } from './apply-rule.ts'

export interface NameSpelling {
  /** How many names are looked for. */
  size: number
  find(text: string): Found[]
}

const MAX_NAMES = 1000
const MAX_PARTS = 5
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}'’.+#]*[\p{L}\p{N}+#])?/gu

/**
 * Names that the project lists, and of the site's own those that are not also words of everyday speech: with a capital or
 * a digit inside.
 */
export function siteNames(site: Site, listed: readonly string[]): string[] {
  const own = [site.config.name, ...[...site.apis.values()].map(({ root }) => titleOf(root))]
  return [...new Set([...listed, ...own.filter((name) => isDistinct(name))])].slice(0, MAX_NAMES)
}

function titleOf(root: unknown): string {
  const { info } = (root ?? {}) as { info?: { title?: unknown } }
  return typeof info?.title === 'string' && info.title.length <= 60 ? info.title.trim() : ''
}

function isDistinct(name: string): boolean {
  return partsOf(name).length <= MAX_PARTS && /\p{Ll}\p{Lu}|\p{Lu}{2}|\p{L}\p{N}|\p{N}\p{L}/u.test(name)
}

export function createNameSpelling(names: readonly string[]): NameSpelling {
  const right = new Set(names)
  const byKey = new Map(names.map((name) => [keyOf(name), name]))
  const longest = Math.min(MAX_PARTS, Math.max(0, ...names.map((name) => partsOf(name).length + 1)))
  return {
    size: names.length,
    find(text) {
      if (byKey.size === 0) return []
      const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
        at: index,
        end: index + word.length,
      }))
      const found: Found[] = []
      for (let first = 0; first < words.length; first++) {
        for (let count = longest; count > 0; count--) {
          const last = words[first + count - 1]
          const begin = words[first]?.at ?? 0
          if (last === undefined) continue
          const written = text.slice(begin, last.end)
          const name = byKey.get(keyOf(written))
          if (name === undefined || !isTogether(written)) continue
          if (!right.has(written) && !isPlain(text, begin, last.end))
            found.push({ at: begin, words: [name, written] })
          first += count - 1
          break
        }
      }
      return found
    },
  }
}

/** Words with no more than a space or a hyphen between. */
function isTogether(written: string): boolean {
  return !/[^\p{L}\p{N}'’.+# -]| {2}|\n/u.test(written)
}

/** In an address, a path or a name of a file it is written otherwise. */
function isPlain(text: string, from: number, to: number): boolean {
  return /[/@_\\]/.test(text[from - 1] ?? '') || /^(?:[/@_\\]|[:.]\w)/.test(text.slice(to, to + 2))
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, '')
}

function partsOf(name: string): string[] {
  return name.split(/[\s-]+/).filter((part) => part !== '')
}
