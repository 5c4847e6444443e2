/**
 * Feeds generated hostile sources to all readers, which must finish in time linear in the length and within the memory
 * of a small process. OCTAVO_FAULT_ROUNDS above 1 uses 2,000 sources; OCTAVO_FUZZ_SEED sets the first seed.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hostileSource } from '../kit/hostile-sources.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'

const CASES = IS_WHOLE ? 2000 : 64
const FIRST = Number(process.env.OCTAVO_FUZZ_SEED ?? 1)
/** Limit of CPU time: startup plus the cost per character of the slowest reader, the YAML parser. */
const secondsFor = (length: number) => 5 + length * 40e-6
/** A reader that takes this long is considered stuck. */
const LONGEST_MS = 120_000
const MEMORY_MB = 1500

const reader = fileURLToPath(new URL('./hostile-reader.ts', import.meta.url))
let child: ChildProcess | null = null
after(() => child?.kill('SIGKILL'))

interface Answer {
  kind: string
  length: number
  seconds: number
}

/** Returns null if the reader did not respond; the next call starts a new process. */
async function ask(seed: number): Promise<Answer | null> {
  child ??= fork(reader, {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const asked = child
  const timer = setTimeout(() => asked.kill('SIGKILL'), LONGEST_MS)
  asked.send(seed)
  const answer = await Promise.race([
    once(asked, 'message').then(([one]) => one as Answer),
    once(asked, 'exit').then(() => null),
  ])
  clearTimeout(timer)
  if (answer === null) child = null
  return answer
}

test(`${CASES} hostile sources from seed ${FIRST} are read in time linear in their length`, async (t) => {
  const wrong: string[] = []
  let slowest: Answer = { kind: 'none', length: 1, seconds: 0 }
  for (let seed = FIRST; seed < FIRST + CASES; seed++) {
    const answer = await ask(seed)
    if (answer === null || answer.seconds > secondsFor(answer.length)) {
      const { kind, text } = hostileSource(seed)
      const what = answer === null ? 'never ended' : `took ${answer.seconds.toFixed(1)} s`
      wrong.push(
        `seed ${seed}: ${kind} of ${text.length} characters, ${JSON.stringify(text.slice(0, 60))} ${what}`,
      )
    }
    if (answer && answer.seconds > slowest.seconds) slowest = answer
  }
  t.diagnostic(`slowest: ${slowest.kind} of ${slowest.length} characters, ${slowest.seconds.toFixed(1)} s`)
  assert.deepEqual(wrong, [])
})
