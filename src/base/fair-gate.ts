/**
 * A fair semaphore: slots go to groups in turn, and within each group to its subgroups in turn. The number of slots
 * per outermost group can be limited, so that some remain for others.
 */

export interface FairGate {
  /**
   * Acquires a slot, which disposing the result releases. `path` names the groups, outermost first. Rejects with the
   * signal's reason.
   */
  enter(path: readonly string[], signal: AbortSignal): Promise<Disposable>
}

interface Waiter {
  path: readonly string[]
  admit(): void
}

/**
 * Creates a gate with `limit` + 1 slots. An organization, the first group in `path`, gets at most `limit` of them, so
 * that one slot remains for others.
 */
export function createWorkGate(limit: number): FairGate {
  return createFairGate(limit + 1, limit)
}

export function createFairGate(slots: number, maxPerGroup = slots): FairGate {
  const waiting: Waiter[] = []
  const served = new Map<string, number>()
  const groups = countGroups()
  let turn = 0
  let free = slots

  const isFull = (path: readonly string[]) => free === 0 || groups.inside(path) >= maxPerGroup

  const admitNext = () => {
    const ready = waiting.filter(({ path }) => !isFull(path))
    const next = ready[indexOfNext(ready, served)]
    if (next !== undefined) waiting.splice(waiting.indexOf(next), 1)[0]?.admit()
  }

  const acquire = (path: readonly string[]): Disposable => {
    free--
    groups.count(path, 1)
    turn++
    for (let depth = 1; depth <= path.length; depth++) served.set(JSON.stringify(path.slice(0, depth)), turn)
    return once(() => {
      free++
      groups.count(path, -1)
      // Nobody is waiting and all slots are free, so earlier turns no longer matter.
      if (waiting.length === 0 && free === slots) served.clear()
      admitNext()
    })
  }

  return {
    async enter(path, signal) {
      signal.throwIfAborted()
      if (!isFull(path)) return acquire(path)
      return await waitInQueue(waiting, path, () => acquire(path), signal)
    },
  }
}

/** Counts slots per outermost group; work without a group is not counted. */
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

async function waitInQueue(
  queue: Waiter[],
  path: readonly string[],
  acquire: () => Disposable,
  signal: AbortSignal,
): Promise<Disposable> {
  const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
  const one: Waiter = { path, admit: () => resolve(acquire()) }
  const leave = () => {
    const index = queue.indexOf(one)
    if (index === -1) return
    queue.splice(index, 1)
    reject(signal.reason)
  }
  queue.push(one)
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

/** Returns the index of the waiter whose groups were served least recently. Ties go to the first to arrive. */
function indexOfNext(waiting: readonly Waiter[], served: ReadonlyMap<string, number>): number {
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
