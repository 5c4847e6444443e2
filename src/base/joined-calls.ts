/**
 * Calls of one name that come in one turn of the event loop, in turns that each bring more of them, or while one is under
 * way, are asked as one, so that many callers share a round trip and its commit. What a caller gets was asked after the
 * caller came; one alone waits for nobody.
 */
import { setImmediate } from 'node:timers/promises'

export class JoinedCalls<Answer> {
  readonly #waiting = new Map<string, Caller<Answer>[]>()
  readonly #most: number

  /** `most` callers are asked for at once. */
  constructor(most = 100) {
    this.#most = most
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
    while (line.length > 0) {
      const callers = line.splice(0, this.#most)
      try {
        const answers = await ask(callers.length)
        if (answers.length !== callers.length) throw new Error(`${name}: ${answers.length} answers`)
        for (const [index, { resolve }] of callers.entries()) resolve(answers[index] as Answer)
      } catch (error) {
        for (const { reject } of callers) reject(error)
      }
    }
    this.#waiting.delete(name)
  }
}

interface Caller<Answer> {
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}
