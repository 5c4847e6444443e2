/**
 * What a build has learnt of its pages' bodies, for the next one: that reads the bodies of pages which changed, and of no
 * others. It lies in the cache of the folder in two files, which the last of two builds at once has written.
 */
import { sha256, sha256Of } from '../../base/hash.ts'
import type { ObjectCache } from '../../objects/object-store.ts'
import { rendererVersion } from '../machinery/renderer-version.ts'
import type { RenderedBody } from '../page/body.ts'
import { putBytes, putEntry, readBytes, readEntry } from '../versions/cache-entries.ts'
import type { PageAnchors } from './check-anchors.ts'

/** What is kept of every body between the two passes. */
export type PageFacts = Pick<RenderedBody, 'usesMath' | 'usesMermaid' | 'islands' | 'problems'> & {
  anchors: PageAnchors
  /** What it names on other servers and a closed bundle has copies of. */
  remote: readonly string[]
}

/** Of a page without islands and without copies of files from elsewhere. */
export interface KnownPage {
  /** Of its body. */
  key: string
  facts: PageFacts
  /** Every value of a class attribute. */
  classes: readonly string[]
  /** Addresses of the pictures on other servers that it shows without a size, in their order. */
  pictures: readonly string[]
}

export interface PageMemory {
  /** `name` is that of the page's source. */
  find(name: string): KnownPage | null
  /** What is not kept is forgotten. */
  keep(name: string, page: KnownPage): void
  /** What the last search index has left; null when there is nothing. */
  readonly search: Uint8Array | null
  keepSearch(index: Uint8Array): Promise<void>
  save(): Promise<void>
}

interface Kept {
  /** What many pages have in common. */
  classes: string[]
  pages: [string, Omit<KnownPage, 'classes'> & { classes: number[] }][]
}

export async function openPageMemory(objects: ObjectCache): Promise<PageMemory> {
  const keys = { pages: `${nameOf('pages')}.json.gz`, search: `${nameOf('search')}.bin` }
  const last = await readEntry<Kept>(objects, keys.pages)
  const search = await readBytes(objects, keys.search)
  const known = new Map(last?.pages)
  const kept = new Map<string, KnownPage>()
  return {
    search,
    find: (name) => {
      const page = known.get(name)
      return page ? { ...page, classes: page.classes.map((number) => last?.classes[number] as string) } : null
    },
    keep: (name, page) => void kept.set(name, page),
    keepSearch: (index) => putBytes(objects, keys.search, index),
    save: () => putEntry(objects, keys.pages, packed(kept)),
  }
}

function nameOf(what: string): string {
  return `stamps/${sha256Of(rendererVersion(), sha256(what))}`
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
