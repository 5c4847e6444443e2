/**
 * What a build has learnt of its pages' bodies, for the next one: that reads the bodies of pages which changed, and of no
 * others. It lies in four files, in the cache of the folder or in the memory of a hosted site, which the last of two builds
 * at once has written. A file there may be anybody's: what has not the form of such a file is as good as missing.
 */
import { sha256Of } from '../../base/hash.ts'
import type { ObjectCache } from '../../objects/object-store.ts'
import { isProblem } from '../../site/packed-site.ts'
import { rendererVersion } from '../machinery/renderer-version.ts'
import type { RenderedBody } from '../page/body.ts'
import type { KeptIndexes } from '../search/search-index.ts'
import { isWholeIndex } from '../search/search-kept.ts'
import { readLedger } from '../search/search-ledger.ts'
import type { SearchMemory } from '../search/search-writer.ts'
import type { KeptCss } from '../theme/site-sheets.ts'
import { putBytes, putEntry, putPlain, readBytes, readEntry, readPlain } from '../versions/cache-entries.ts'

/** What is kept of every body between the two passes. */
export type PageFacts = Pick<
  RenderedBody,
  'usesMath' | 'usesMermaid' | 'islands' | 'problems' | 'anchors' | 'remote'
>

/** Of a page without islands and without copies of files from elsewhere. */
export interface KnownPage {
  /** Of its body. */
  key: string
  facts: PageFacts
  /** Every value of a class attribute. */
  classes: readonly string[]
  /** Addresses of the pictures on other servers that it shows without a size, in their order. */
  pictures: readonly string[]
  /** Paths of the site's own pictures that it shows without a size, in their order; they need not exist. */
  images: readonly string[]
}

export interface PageMemory {
  /** `name` is that of the page's source. */
  find(name: string): KnownPage | null
  /** What is not kept is forgotten when more than a few pages have changed. */
  keep(name: string, page: KnownPage): void
  /** What the last search indexes have left. */
  readonly search: SearchMemory
  keepSearch(kept: KeptIndexes): Promise<void>
  /** Of the utility classes of the last build. */
  readonly utilities: KeptCss
  save(): Promise<void>
}

/** To look at so many bodies once more costs less than to keep all anew. */
const FEW_PAGES = 32
/** Characters of all pages; what is beyond is not kept. */
const MOST_CHARACTERS = 200_000_000
const BODY_KEY = /^bodies\/[0-9a-f]{64}\.json\.zst$/

interface Kept {
  /** What many pages have in common. */
  classes: string[]
  pages: [string, Omit<KnownPage, 'classes'> & { classes: number[] }][]
}

/** `place`: a key ending in `/`. */
export async function openPageMemory(objects: ObjectCache, place = 'stamps/'): Promise<PageMemory> {
  const keys = {
    pages: `${place}${nameOf('pages')}.json`,
    index: `${place}${nameOf('search')}.bin`,
    ledger: `${place}${nameOf('ledger')}.bin`,
    utilities: `${place}${nameOf('utilities')}.json.zst`,
  }
  const last = await readPlain<unknown>(objects, keys.pages)
  const { pages, classes } = isKept(last) ? last : { pages: [], classes: [] }
  const ledger = await readBytes(objects, keys.ledger)
  const known = new Map(pages)
  const kept = new Map<string, KnownPage>()
  let characters = 0
  const changes = () => {
    let found = 0
    for (const name of kept.keys()) if (known.has(name)) found += 1
    return kept.size - found + (known.size - found)
  }
  return {
    search: {
      ledger: ledger && readLedger(ledger),
      index: async () => {
        const index = await readBytes(objects, keys.index)
        return index && isWholeIndex(index) ? index : null
      },
    },
    find: (name) => {
      const page = known.get(name)
      return page ? { ...page, classes: page.classes.map((number) => classes[number] as string) } : null
    },
    keep: (name, page) => {
      characters += charactersOf(page)
      if (characters <= MOST_CHARACTERS) kept.set(name, page)
    },
    keepSearch: async ({ index, ledger }) => {
      await putBytes(objects, keys.index, index)
      await putBytes(objects, keys.ledger, ledger)
    },
    utilities: async (digest, make) => {
      const last = await readEntry<unknown>(objects, keys.utilities)
      if (isCss(last) && last.digest === digest) return last.css
      const css = await make()
      await putEntry(objects, keys.utilities, { digest, css })
      return css
    },
    save: async () => {
      if (known.size === 0 || changes() > FEW_PAGES)
        await putPlain(objects, keys.pages, JSON.stringify(packed(kept)))
    },
  }
}

/** What is a letter, and where a word ends, is known to Node. */
function nameOf(what: string): string {
  return sha256Of(rendererVersion(), process.version, what)
}

function charactersOf({ facts: { anchors, problems }, pictures, images }: KnownPage): number {
  const told = problems.reduce((sum, { message, remedy }) => sum + message.length + remedy.length, 0)
  return [anchors.ids, ...anchors.links, ...pictures, ...images].reduce(
    (sum, text) => sum + text.length + 3,
    told,
  )
}

function isCss(value: unknown): value is { digest: string; css: string } {
  return hasFields(value) && typeof value.css === 'string'
}

function isKept(value: unknown): value is Kept {
  if (!hasFields(value) || !areTexts(value.classes) || !Array.isArray(value.pages)) return false
  const most = value.classes.length
  return value.pages.every((entry) => {
    if (!Array.isArray(entry) || entry.length !== 2 || typeof entry[0] !== 'string') return false
    return isPage(entry[1], most)
  })
}

function isPage(value: unknown, classCount: number): boolean {
  if (!hasFields(value) || !hasFields(value.facts) || !hasFields(value.facts.anchors)) return false
  const { key, classes, pictures, images, facts } = value
  const { anchors, islands, problems, remote, usesMath, usesMermaid } = facts as Record<string, unknown>
  const { ids, links, isOpen } = anchors as Record<string, unknown>
  const flags = [usesMath, usesMermaid, isOpen]
  return (
    BODY_KEY.test(String(key)) &&
    typeof ids === 'string' &&
    flags.every((flag) => typeof flag === 'boolean') &&
    [links, pictures, images, remote].every(areTexts) &&
    islands === null &&
    Array.isArray(problems) &&
    problems.every(isProblem) &&
    Array.isArray(classes) &&
    classes.every((number) => Number.isInteger(number) && number >= 0 && number < classCount)
  )
}

function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function packed(pages: ReadonlyMap<string, KnownPage>): Kept {
  const numbers = new Map<string, number>()
  const numberOf = (value: string) => {
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    return number
  }
  return {
    pages: [...pages].map(([name, page]) => [name, { ...page, classes: page.classes.map(numberOf) }]),
    classes: [...numbers.keys()],
  }
}
