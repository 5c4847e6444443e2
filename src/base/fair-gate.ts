/** A few places that many wait for, given out in turn: to each group as often as to the others, and so within it. */

export interface FairGate {
  /** `path` names the groups from the outermost. Rejects with the signal's reason. The place is given back by disposing. */
  enter(path: readonly string[], signal: AbortSignal): Promise<Disposable>
}

interface Waiting {
  path: readonly string[]
  admit(): void
}

export function createFairGate(places: number): FairGate {
  const waiting: Waiting[] = []
  /** When a group was served last, by its path. */
  const served = new Map<string, number>()
  let turn = 0
  let free = places

  const admitNext = () => {
    if (free === 0 || waiting.length === 0) return
    const [next] = waiting.splice(placeOfNext(waiting, served), 1)
    next?.admit()
  }

  const take = (path: readonly string[]): Disposable => {
    free--
    turn++
    for (let depth = 1; depth <= path.length; depth++) served.set(JSON.stringify(path.slice(0, depth)), turn)
    let isHeld = true
    return {
      [Symbol.dispose]() {
        if (!isHeld) return
        isHeld = false
        free++
        // Whoever comes now has waited for nobody: the past of the others counts no more.
        if (waiting.length === 0 && free === places) served.clear()
        admitNext()
      },
    }
  }

  return {
    async enter(path, signal) {
      signal.throwIfAborted()
      if (free > 0 && waiting.length === 0) return take(path)
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
      const one: Waiting = { path, admit: () => resolve(take(path)) }
      const leave = () => {
        const index = waiting.indexOf(one)
        if (index === -1) return
        waiting.splice(index, 1)
        reject(signal.reason)
      }
      waiting.push(one)
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await promise
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
  }
}

/** Of the one whose groups were served the longest ago; of several, the first that came. */
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
