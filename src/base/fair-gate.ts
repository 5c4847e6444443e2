/**
 * A few places that many wait for, given out in turn: to each group as often as to the others, and so within it. An
 * outermost group has a bound of places, so that one is always left for the others.
 */

export interface FairGate {
  /** `path` names the groups from the outermost. Rejects with the signal's reason. The place is given back by disposing. */
  enter(path: readonly string[], signal: AbortSignal): Promise<Disposable>
}

interface Waiting {
  path: readonly string[]
  admit(): void
}

/** For work of so many at once of an organization, which the path names first; there is a place more for the others. */
export function createWorkGate(most: number): FairGate {
  return createFairGate(most + 1, most)
}

/** `mostOfGroup`: places that an outermost group may have. */
export function createFairGate(places: number, mostOfGroup = places): FairGate {
  const waiting: Waiting[] = []
  /** When a group was served last, by its path. */
  const served = new Map<string, number>()
  const groups = countGroups()
  let turn = 0
  let free = places

  const isFull = (path: readonly string[]) => free === 0 || groups.inside(path) >= mostOfGroup

  const admitNext = () => {
    const ready = waiting.filter(({ path }) => !isFull(path))
    const next = ready[placeOfNext(ready, served)]
    if (next !== undefined) waiting.splice(waiting.indexOf(next), 1)[0]?.admit()
  }

  const take = (path: readonly string[]): Disposable => {
    free--
    groups.count(path, 1)
    turn++
    for (let depth = 1; depth <= path.length; depth++) served.set(JSON.stringify(path.slice(0, depth)), turn)
    return once(() => {
      free++
      groups.count(path, -1)
      // Whoever comes now has waited for nobody: the past of the others counts no more.
      if (waiting.length === 0 && free === places) served.clear()
      admitNext()
    })
  }

  return {
    async enter(path, signal) {
      signal.throwIfAborted()
      // Whoever waits has no place left for its group.
      if (!isFull(path)) return take(path)
      return await stand(waiting, path, () => take(path), signal)
    },
  }
}

/** Places that outermost groups have; what has no group is not counted. */
function countGroups() {
  const counts = new Map<string, number>()
  const inside = ([group]: readonly string[]) => counts.get(group ?? '') ?? 0
  return {
    inside,
    count(path: readonly string[], by: number) {
      const [group] = path
      if (group === undefined) return
      const now = inside(path) + by
      if (now === 0) counts.delete(group)
      else counts.set(group, now)
    },
  }
}

/** In a line, until it is admitted or the signal ends. */
async function stand(
  line: Waiting[],
  path: readonly string[],
  take: () => Disposable,
  signal: AbortSignal,
): Promise<Disposable> {
  const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
  const one: Waiting = { path, admit: () => resolve(take()) }
  const leave = () => {
    const index = line.indexOf(one)
    if (index === -1) return
    line.splice(index, 1)
    reject(signal.reason)
  }
  line.push(one)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

function once(work: () => void): Disposable {
  let isDone = false
  return {
    [Symbol.dispose]() {
      if (isDone) return
      isDone = true
      work()
    },
  }
}

/** Of the one whose groups were served the longest ago; of several, the first that came. 0 when there is none. */
function placeOfNext(waiting: readonly Waiting[], served: ReadonlyMap<string, number>): number {
  const turns = waiting.map(({ path }) =>
    path.map((_, depth) => served.get(JSON.stringify(path.slice(0, depth + 1))) ?? 0),
  )
  return turns.reduce((best, one, index) => (isBefore(one, turns[best] ?? []) ? index : best), 0)
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left = 0, right = 0] = [a[index], b[index]]
    if (left !== right) return left < right
  }
  return false
}
