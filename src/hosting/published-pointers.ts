/**
 * Which version is out under a host name, asked of the database a few times a second at most, however many ask here.
 * What is answered was true within the last tenth of a second; while the database is away, it is what was true last.
 */
import { LRUCache } from 'lru-cache'

/** Key of a manifest; null for a project without a published version, undefined when nobody has the name. */
export type Pointer = string | null | undefined

export interface PublishedPointers {
  /** Rejects when the database is away and the name was not asked about before. */
  find(host: string): Promise<Pointer>
  /** What is known without waiting; null when nothing is that may still count. */
  known(host: string): { pointer: Pointer } | null
}

/** From here on a new look is taken, while the old one still counts. */
const AHEAD_MS = 50
const FRESH_MS = 100
/** A look that takes longer is not waited for by those who can do without. */
const PATIENCE_MS = 500
/** Between looks at a database that is away. */
const AWAY_MS = 1000
const MOST_HOSTS = 10_000
/** Names that nobody has are kept apart: any number of them puts no site out. */
const MOST_NAMES_OF_NOBODY = 1000
/** Longer names are nobody's. */
const MOST_CHARACTERS = 253

interface Known {
  pointer: Pointer
  /** When the look began that has found it. */
  at: number
  /** The last look has failed, or takes too long. */
  isAway: boolean
}

interface Look {
  begun: number
  pointer: Promise<Pointer>
}

export function createPublishedPointers(
  ask: (host: string) => Promise<Pointer>,
  now: () => number = () => performance.now(),
): PublishedPointers {
  const { knownOf, keep, markAway } = rememberHosts()
  const looks = new Map<string, Look>()
  /** When a look at a host was last begun; of hosts that are away. */
  const tried = new LRUCache<string, number>({ max: MOST_HOSTS })

  function look(host: string): Look {
    const running = looks.get(host)
    if (running !== undefined) return running
    const begun = now()
    const pointer = ask(host).then(
      (found) => {
        keep(host, { pointer: found, at: begun, isAway: false })
        return found
      },
      (error) => {
        markAway(host)
        throw error
      },
    )
    const made = { begun, pointer }
    looks.set(host, made)
    tried.set(host, begun)
    const end = () => void looks.delete(host)
    pointer.then(end, end)
    return made
  }

  function current(host: string): { pointer: Pointer } | null {
    const found = knownOf(host)
    if (found === undefined) return null
    const age = now() - found.at
    if (age < AHEAD_MS) return found
    const wait = found.isAway ? AWAY_MS : 0
    if (now() - (tried.get(host) ?? Number.NEGATIVE_INFINITY) >= wait) look(host).pointer.catch(() => {})
    return found.isAway || age < FRESH_MS ? found : null
  }

  return {
    known: current,
    async find(host) {
      if (host.length > MOST_CHARACTERS) return undefined
      const found = current(host)
      if (found !== null) return found.pointer
      const { pointer } = look(host)
      const last = knownOf(host)
      if (last === undefined) return pointer
      const patience = Promise.withResolvers<Pointer>()
      const timer = setTimeout(() => {
        markAway(host)
        patience.resolve(last.pointer)
      }, PATIENCE_MS)
      const fallback = pointer.catch(() => last.pointer)
      return Promise.race([fallback, patience.promise]).finally(() => clearTimeout(timer))
    },
  }
}

function rememberHosts() {
  const sites = new LRUCache<string, Known>({ max: MOST_HOSTS })
  const nobodys = new LRUCache<string, Known>({ max: MOST_NAMES_OF_NOBODY })
  const knownOf = (host: string) => sites.get(host) ?? nobodys.get(host)
  return {
    knownOf,
    keep(host: string, found: Known): void {
      const [into, other] = found.pointer === undefined ? [nobodys, sites] : [sites, nobodys]
      into.set(host, found)
      other.delete(host)
    },
    markAway(host: string): void {
      const found = knownOf(host)
      if (found !== undefined) found.isAway = true
    },
  }
}
