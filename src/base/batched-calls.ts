/**
 * Batches calls with the same name, so that many callers share a round trip and its commit. Calls are combined if
 * they are made in the same turn of the event loop, in consecutive turns that each add calls, or while a batch is
 * running. A running batch accepts no further calls; a single caller does not wait. A slow batch, for example on a
 * lost connection, does not hold up later batches: after a while the next batch runs concurrently. Figures are in
 * docs/adr/api-keys.md.
 */
import { setImmediate } from 'node:timers/promises'

export class BatchedCalls<Answer> {
  readonly #waiting = new Map<string, Caller<Answer>[]>()
  readonly #most: number
  readonly #patienceMs: number

  /** Batches have at most `maxBatchSize` callers and wait at most `maxWaitMs` for the previous batch. */
  constructor(maxBatchSize = 100, maxWaitMs = 1500) {
    this.#most = maxBatchSize
    this.#patienceMs = maxWaitMs
  }

  /** `runBatch` receives the number of callers and returns a result for each, in call order. */
  join(name: string, runBatch: BatchRunner<Answer>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const caller = { resolve, reject }
      const queue = this.#waiting.get(name)
      if (queue !== undefined) {
        queue.push(caller)
        return
      }
      const first = [caller]
      this.#waiting.set(name, first)
      void this.#askForAll(name, first, runBatch)
    })
  }

  /** All callers with the same name share one result. */
  share(name: string, runBatch: () => Promise<Answer>): Promise<Answer> {
    return this.join(name, async (count) => Array<Answer>(count).fill(await runBatch()))
  }

  async #askForAll(name: string, queue: Caller<Answer>[], runBatch: BatchRunner<Answer>): Promise<void> {
    for (let previousLength = 0; previousLength < queue.length && queue.length < this.#most; ) {
      previousLength = queue.length
      await setImmediate()
    }
    this.#askNext(name, queue, runBatch)
  }

  #askNext(name: string, queue: Caller<Answer>[], runBatch: BatchRunner<Answer>): void {
    if (queue.length === 0) {
      this.#waiting.delete(name)
      return
    }
    let hasStartedNext = false
    const startNext = () => {
      if (hasStartedNext) return
      hasStartedNext = true
      clearTimeout(timer)
      this.#askNext(name, queue, runBatch)
    }
    const timer = setTimeout(startNext, this.#patienceMs)
    void settleBatch(name, queue.splice(0, this.#most), runBatch, startNext)
  }
}

async function settleBatch<Answer>(
  name: string,
  callers: readonly Caller<Answer>[],
  runBatch: BatchRunner<Answer>,
  onEnd: () => void,
): Promise<void> {
  try {
    const answers = await runBatch(callers.length)
    if (answers.length !== callers.length) throw new Error(`${name} returned ${answers.length} results`)
    for (const [index, { resolve }] of callers.entries()) resolve(answers[index] as Answer)
  } catch (error) {
    for (const { reject } of callers) reject(error)
  }
  onEnd()
}

type BatchRunner<Answer> = (count: number) => Promise<readonly Answer[]>

interface Caller<Answer> {
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}
