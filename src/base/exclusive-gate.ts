/** A first-come, first-served lock for work that can share a process and work that needs it exclusively. */
export interface ExclusiveGate {
  /** Resolves to a disposable that releases the lock. Rejects with the signal's reason. */
  enter(way: 'shared' | 'alone', signal: AbortSignal): Promise<Disposable>
}

export function createExclusiveGate(): ExclusiveGate {
  const waiting: { way: 'shared' | 'alone'; admit: () => void }[] = []
  let inside = 0
  let isAlone = false
  const admitNext = () => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (isAlone || (next.way === 'alone' && inside > 0)) return
      waiting.shift()
      inside++
      isAlone = next.way === 'alone'
      next.admit()
    }
  }
  const leave = () => {
    inside--
    isAlone = false
    admitNext()
  }
  return {
    async enter(way, signal) {
      signal.throwIfAborted()
      const admitted = Promise.withResolvers<void>()
      const entry = { way, admit: admitted.resolve }
      const cancel = () => {
        const at = waiting.indexOf(entry)
        if (at === -1) return
        waiting.splice(at, 1)
        admitted.reject(signal.reason)
        admitNext()
      }
      signal.addEventListener('abort', cancel, { once: true })
      waiting.push(entry)
      admitNext()
      try {
        await admitted.promise
      } finally {
        signal.removeEventListener('abort', cancel)
      }
      let isOver = false
      return {
        [Symbol.dispose]() {
          if (!isOver) leave()
          isOver = true
        },
      }
    },
  }
}
