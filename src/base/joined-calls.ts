/**
 * Calls of one name that come in one turn of the event loop, in turns that each bring more of them, or while one is under
 * way, are asked as one, so that many callers share a round trip and its commit. What a caller gets was asked after the
 * caller came; one alone waits for nobody. A round that takes long, on a connection that is lost for one, holds up no other:
 * the next one goes beside it.
 */
import { setImmediate } from 'node:timers/promises'

export class JoinedCalls<Answer> {
  readonly #waiting = new Map<string, Caller<Answer>[]>()
  readonly #most: number
  readonly #patienceMs: number

  /** `most` callers are asked for at once; they wait for the round before for so many milliseconds at most. */
  constructor(most = 100, patienceMs = 1500) {
    this.#most = most
    this.#patienceMs = patienceMs
  }

  /** `ask` answers each of so many callers, in the order in which they came. All callers of a name ask the same. */
  join(name: string, ask: (callers: number) => Promise<readonly Answer[]>): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const caller = { resolve, reject }
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

  /** All callers of a name have the same answer. */
  share(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    return this.join(name, async (callers) => Array<Answer>(callers).fill(await ask()))
  }

  async #askForAll(
    name: string,
    line: Caller<Answer>[],
    ask: (callers: number) => Promise<readonly Answer[]>,
  ): Promise<void> {
    for (let known = 0; known < line.length && line.length < this.#most; ) {
      known = line.length
      await setImmediate()
    }
    this.#askNext(name, line, ask)
  }

  #askNext(name: string, line: Caller<Answer>[], ask: (callers: number) => Promise<readonly Answer[]>): void {
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

async function answerAll<Answer>(
  name: string,
  callers: readonly Caller<Answer>[],
  ask: (callers: number) => Promise<readonly Answer[]>,
  ended: () => void,
): Promise<void> {
  try {
    const answers = await ask(callers.length)
    if (answers.length !== callers.length) throw new Error(`${name}: ${answers.length} answers`)
    for (const [index, { resolve }] of callers.entries()) resolve(answers[index] as Answer)
  } catch (error) {
    for (const { reject } of callers) reject(error)
  }
  ended()
}

interface Caller<Answer> {
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}
