/** Runs scripts of pages in a render process, one after another. A process that does not respond is replaced. */

import { RENDER_MEMORY_BYTES } from '../../sandbox/limits.ts'
import { type RenderChild, startRenderChild } from '../bodies/child-process.ts'
import { failedSample, type SampleResult } from '../bodies/protocol.ts'

interface Script {
  code: string
  isTyped: boolean
}

/** Processor time limit per script in seconds. Only needed if the process hangs and does not stop the script itself. */
const MAX_SCRIPT_CPU_SECONDS = 10
/** Wall-clock limit per script in seconds. Needed where processor time is unknown. High, for busy machines. */
const MAX_SCRIPT_WALL_CLOCK_SECONDS = 120
const CHECK_INTERVAL_MS = 100
const MAX_CONSECUTIVE_LOST_CHILDREN = 3
/** Processor time limit in seconds for all scripts of a site, so that endless scripts do not delay the build. */
const MAX_TOTAL_CPU_SECONDS = 60

/** Returns the results in the order of the scripts. */
export async function runScripts(scripts: readonly Script[]): Promise<SampleResult[]> {
  const results: SampleResult[] = []
  let runner: Runner | null = null
  let lost = 0
  // A lost process no longer reports its processor time, so the last known time counts, and the limit for its last script.
  let [seconds, lostSeconds] = [0, 0]
  try {
    for (const script of scripts) {
      runner ??= startRunner()
      const result: SampleResult | null = await runner.run(script)
      results.push(result ?? failedSample('It was stopped because it uses too much time or memory'))
      if (result === null) {
        runner = null
        lost += 1
        lostSeconds += seconds + MAX_SCRIPT_CPU_SECONDS
        seconds = 0
      } else {
        lost = 0
        seconds = await runner.cpuSeconds()
      }
      if (lost >= MAX_CONSECUTIVE_LOST_CHILDREN || lostSeconds + seconds > MAX_TOTAL_CPU_SECONDS) break
    }
  } finally {
    await runner?.close()
  }
  const notRun = failedSample('It was not run because the scripts before it took too much time')
  return [...results, ...scripts.slice(results.length).map(() => notRun)]
}

type Runner = ReturnType<typeof startRunner>

function startRunner() {
  let receive: (result: SampleResult) => void = () => {}
  const child = startRenderChild((message) => {
    if (message.kind === 'sampled') receive(message.result)
  })
  const exited = child.exited.then(() => null)
  return {
    /** Resolves with null if the process has ended. */
    async run(script: Script): Promise<SampleResult | null> {
      const answered = new Promise<SampleResult>((resolve) => {
        receive = resolve
      })
      const watch = watchChild(child)
      child.send({ kind: 'sample', ...script })
      try {
        return await Promise.race([answered, exited])
      } finally {
        clearInterval(watch)
      }
    },
    async cpuSeconds() {
      return (await child.usage().catch(() => null))?.cpuSeconds ?? 0
    },
    async close() {
      child.kill()
      await exited
    },
  }
}

function watchChild(child: RenderChild): NodeJS.Timeout {
  const since = performance.now()
  let first: number | null = null
  return setInterval(async () => {
    const usage = await child.usage().catch(() => null)
    first ??= usage?.cpuSeconds ?? null
    const isOver =
      (usage !== null && usage.cpuSeconds - (first ?? 0) > MAX_SCRIPT_CPU_SECONDS) ||
      (usage?.memoryBytes ?? 0) > RENDER_MEMORY_BYTES ||
      performance.now() - since > MAX_SCRIPT_WALL_CLOCK_SECONDS * 1000
    if (isOver) child.kill()
  }, CHECK_INTERVAL_MS)
}
