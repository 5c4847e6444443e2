/**
 * Batches calls with the same name, so that many callers share a round trip and its commit. Calls are combined if
 * they are made in the same turn of the event loop, in consecutive turns that each add calls, or while a batch is
 * running. Every caller's batch starts after its call; a single caller does not wait. A slow batch, for example on a
 * lost connection, does not hold up the others: after a while the next one runs concurrently.
 */
import { setImmediate } from 'node:timers/promises'

/** Batches of calls. `Item` is the input of each caller, if they differ. */
export class BatchedCalls<Answer, Item = undefined> {
  readonly #waiting = new Map<string, Caller<Answer, Item>[]>()
  readonly #most: number
  readonly #patienceMs: number

  /** Batches have at most `most` callers and wait at most `maxWaitMs` for the batch before. */
  constructor(maxBatchSize = 100, maxWaitMs = 1500) {
    this.#most = maxBatchSize
    this.#patienceMs = maxWaitMs
  }

  /** `ask` receives the items in call order and returns a result for each. */
  join(name: string, item: Item, runBatch: BatchRunner<Answer, Item>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const caller = { item, resolve, reject }
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
  share(this: BatchedCalls<Answer>, name: string, runBatch: () => Promise<Answer>): Promise<Answer> {
    return this.join(name, undefined, async ({ length }) => Array<Answer>(length).fill(await runBatch()))
  }

  async #askForAll(
    name: string,
    queue: Caller<Answer, Item>[],
    runBatch: BatchRunner<Answer, Item>,
  ): Promise<void> {
    for (let previousLength = 0; previousLength < queue.length && queue.length < this.#most; ) {
      previousLength = queue.length
      await setImmediate()
    }
    this.#askNext(name, queue, runBatch)
  }

  #askNext(name: string, queue: Caller<Answer, Item>[], runBatch: BatchRunner<Answer, Item>): void {
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

async function settleBatch<Answer, Item>(
  name: string,
  callers: readonly Caller<Answer, Item>[],
  runBatch: BatchRunner<Answer, Item>,
  onEnd: () => void,
): Promise<void> {
  try {
    const answers = await runBatch(callers.map(({ item }) => item))
    if (answers.length !== callers.length) throw new Error(`${name}: ${answers.length} answers`)
    for (const [index, { resolve }] of callers.entries()) resolve(answers[index] as Answer)
  } catch (error) {
    for (const { reject } of callers) reject(error)
  }
  onEnd()
}

type BatchRunner<Answer, Item> = (items: readonly Item[]) => Promise<readonly Answer[]>

interface Caller<Answer, Item> {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}
