/**
 * Batches calls with the same name, so that many callers share a round trip and its commit. Calls are combined if
 * they are made in the same turn of the event loop, in consecutive turns that each add calls, or while a batch is
 * running. Every caller's batch starts after its call; a single caller does not wait. A slow batch, for example on a
 * lost connection, does not hold up the others: after a while the next one runs concurrently.
 */
import { setImmediate } from 'node:timers/promises'

/** Batches of calls. `Item` is the input of each caller, if they differ. */
export class JoinedCalls<Answer, Item = undefined> {
  readonly #waiting = new Map<string, Caller<Answer, Item>[]>()
  readonly #most: number
  readonly #patienceMs: number

  /** Batches have at most `most` callers and wait at most `patienceMs` for the batch before. */
  constructor(most = 100, patienceMs = 1500) {
    this.#most = most
    this.#patienceMs = patienceMs
  }

  /** `ask` receives the items in call order and returns a result for each. */
  join(name: string, item: Item, ask: Ask<Answer, Item>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const caller = { item, resolve, reject }
      const line = this.#waiting.get(name)
      if (line !== undefined) {
        line.push(caller)
        return
      }
      const first = [caller]
      this.#waiting.set(name, first)
      void this.#askForAll(name, first, ask)
    })
  }

  /** All callers with the same name share one result. */
  share(this: JoinedCalls<Answer>, name: string, ask: () => Promise<Answer>): Promise<Answer> {
    return this.join(name, undefined, async ({ length }) => Array<Answer>(length).fill(await ask()))
  }

  async #askForAll(name: string, line: Caller<Answer, Item>[], ask: Ask<Answer, Item>): Promise<void> {
    for (let known = 0; known < line.length && line.length < this.#most; ) {
      known = line.length
      await setImmediate()
    }
    this.#askNext(name, line, ask)
  }

  #askNext(name: string, line: Caller<Answer, Item>[], ask: Ask<Answer, Item>): void {
    if (line.length === 0) {
      this.#waiting.delete(name)
      return
    }
    let hasGoneOn = false
    const goOn = () => {
      if (hasGoneOn) return
      hasGoneOn = true
      clearTimeout(timer)
      this.#askNext(name, line, ask)
    }
    const timer = setTimeout(goOn, this.#patienceMs)
    void answerAll(name, line.splice(0, this.#most), ask, goOn)
  }
}

async function answerAll<Answer, Item>(
  name: string,
  callers: readonly Caller<Answer, Item>[],
  ask: Ask<Answer, Item>,
  ended: () => void,
): Promise<void> {
  try {
    const answers = await ask(callers.map(({ item }) => item))
    if (answers.length !== callers.length) throw new Error(`${name}: ${answers.length} answers`)
    for (const [index, { resolve }] of callers.entries()) resolve(answers[index] as Answer)
  } catch (error) {
    for (const { reject } of callers) reject(error)
  }
  ended()
}

type Ask<Answer, Item> = (items: readonly Item[]) => Promise<readonly Answer[]>

interface Caller<Answer, Item> {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}
