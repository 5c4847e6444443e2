/**
 * What the database says of a name (the site at a host name, whether somebody is a member), asked a few times a second at
 * most, however many ask here. What is answered was true within the last tenth of a second; while the database is away, it
 * is what was true last.
 */
import { LRUCache } from 'lru-cache'

/** Undefined: there is nothing of that name. */
export interface RecentAnswers<Answer> {
  /** Rejects when the database is away and the name was not asked about before. */
  find(name: string): Promise<Answer | undefined>
  /** What is known without waiting; null when nothing is that may still count. */
  known(name: string): { answer: Answer | undefined } | null
}

/** From here on a new look is taken, while the old one still counts. */
const AHEAD_MS = 50
const FRESH_MS = 100
/** A look that takes longer is not waited for by those who can do without. */
const PATIENCE_MS = 500
/** Between looks at a database that is away. */
const AWAY_MS = 1000
const MOST_NAMES = 10_000
/** Names that nobody has are kept apart: any number of them puts no site out. */
const MOST_NAMES_OF_NOBODY = 1000
/** Longer names are nobody's. */
const MOST_CHARACTERS = 253

interface Known<Answer> {
  answer: Answer | undefined
  /** When the look began that has found it. */
  at: number
  /** The last look has failed, or takes too long. */
  isAway: boolean
}

interface Look<Answer> {
  begun: number
  answer: Promise<Answer | undefined>
}

export function createRecentAnswers<Answer extends {} | null>(
  ask: (name: string) => Promise<Answer | undefined>,
  now: () => number = () => performance.now(),
): RecentAnswers<Answer> {
  const { knownOf, keep, markAway } = rememberNames<Answer>()
  const looks = new Map<string, Look<Answer>>()
  /** When a look at a name was last begun. */
  const tried = new LRUCache<string, number>({ max: MOST_NAMES })

  function look(name: string): Look<Answer> {
    const running = looks.get(name)
    if (running !== undefined) return running
    const begun = now()
    const answer = ask(name).then(
      (found) => {
        keep(name, { answer: found, at: begun, isAway: false })
        return found
      },
      (error) => {
        markAway(name)
        throw error
      },
    )
    const made = { begun, answer }
    looks.set(name, made)
    tried.set(name, begun)
    const end = () => void looks.delete(name)
    answer.then(end, end)
    return made
  }

  function current(name: string): Known<Answer> | null {
    const found = knownOf(name)
    if (found === undefined) return null
    const age = now() - found.at
    if (age < AHEAD_MS) return found
    const wait = found.isAway ? AWAY_MS : 0
    if (now() - (tried.get(name) ?? Number.NEGATIVE_INFINITY) >= wait) look(name).answer.catch(() => {})
    return found.isAway || age < FRESH_MS ? found : null
  }

  return {
    known: current,
    async find(name) {
      if (name.length > MOST_CHARACTERS) return undefined
      const found = current(name)
      if (found !== null) return found.answer
      const { answer } = look(name)
      const last = knownOf(name)
      if (last === undefined) return answer
      const patience = Promise.withResolvers<Answer | undefined>()
      const timer = setTimeout(() => {
        markAway(name)
        patience.resolve(last.answer)
      }, PATIENCE_MS)
      const fallback = answer.catch(() => last.answer)
      return Promise.race([fallback, patience.promise]).finally(() => clearTimeout(timer))
    },
  }
}

function rememberNames<Answer extends {} | null>() {
  const somebodys = new LRUCache<string, Known<Answer>>({ max: MOST_NAMES })
  const nobodys = new LRUCache<string, Known<Answer>>({ max: MOST_NAMES_OF_NOBODY })
  const knownOf = (name: string) => somebodys.get(name) ?? nobodys.get(name)
  return {
    knownOf,
    keep(name: string, found: Known<Answer>): void {
      const [into, other] = found.answer === undefined ? [nobodys, somebodys] : [somebodys, nobodys]
      into.set(name, found)
      other.delete(name)
    },
    markAway(name: string): void {
      const found = knownOf(name)
      if (found !== undefined) found.isAway = true
    },
  }
}
