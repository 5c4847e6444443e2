/**
 * Calls of one name that come in one turn of the event loop, in turns that each bring more of them, or while one is under
 * way, are asked as one, so that many callers share a round trip and its commit. What a caller gets was asked after the
 * caller came; one alone waits for nobody. A round that takes long, on a connection that is lost for one, holds up no other:
 * the next one goes beside it.
 */
import { setImmediate } from 'node:timers/promises'

/** `Item`: what each caller brings, where they do not all ask the same. */
export class JoinedCalls<Answer, Item = undefined> {
  readonly #waiting = new Map<string, Caller<Answer, Item>[]>()
  readonly #most: number
  readonly #patienceMs: number

  /** `most` callers are asked for at once; they wait for the round before for so many milliseconds at most. */
  constructor(most = 100, patienceMs = 1500) {
    this.#most = most
    this.#patienceMs = patienceMs
  }

  /** `ask` answers each of the callers, who are told by what they bring, in the order in which they came. */
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

  /** All callers of a name have the same answer. */
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
