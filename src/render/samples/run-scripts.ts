/** Runs scripts of pages in a render process, one after another. A process that does not respond is replaced. */

import { RENDER_MEMORY_BYTES } from '../../sandbox/limits.ts'
import { type RenderChild, startRenderChild } from '../bodies/child-process.ts'
import type { FromChild, SampleResult } from '../bodies/protocol.ts'
import { readBundleText } from '../machinery/own-bundles.ts'

export interface Script {
  code: string
  isTyped: boolean
}

/** Processor time limit per script in seconds. Only needed if the process hangs and does not stop the script itself. */
const MAX_SCRIPT_CPU_SECONDS = 10
/** Wall-clock limit per script in seconds. Needed where processor time is unknown. High, for busy machines. */
const MAX_SCRIPT_WALL_CLOCK_SECONDS = 120
const CHECK_INTERVAL_MS = 100
const MAX_CONSECUTIVE_LOST_CHILDREN = 3
/**
 * Processor time limit in seconds for all scripts of a site, so that endless scripts do not delay the build.
 */
const MAX_TOTAL_CPU_SECONDS = 60

const STOPPED: SampleResult = {
  output: '',
  error: { message: 'It was stopped because it uses too much time or memory', line: null },
}

const NOT_RUN: SampleResult = {
  output: '',
  error: { message: 'It was not run because the scripts before it took too much time', line: null },
}

/** Returns the results in the order of the scripts. */
export async function runScripts(scripts: readonly Script[]): Promise<SampleResult[]> {
  const results: SampleResult[] = []
  let runner: Runner | null = null
  let [lost, used] = [0, 0]
  try {
    for (const script of scripts) {
      runner ??= await startRunner()
      const result: SampleResult | null = await runner.run(script)
      results.push(result ?? STOPPED)
      if (result === null) {
        runner = null
        used += MAX_SCRIPT_CPU_SECONDS
        if (++lost >= MAX_CONSECUTIVE_LOST_CHILDREN) break
      } else {
        lost = 0
        used += await runner.takeUsage()
      }
      if (used > MAX_TOTAL_CPU_SECONDS) break
    }
  } finally {
    await runner?.close()
  }
  return [...results, ...scripts.slice(results.length).map(() => NOT_RUN)]
}

interface Runner {
  /** Resolves with null if the process has ended. */
  run(script: Script): Promise<SampleResult | null>
  /** Returns the processor seconds used since the last call. */
  takeUsage(): Promise<number>
  close(): Promise<void>
}

async function startRunner(): Promise<Runner> {
  let receive: (message: FromChild) => void = () => {}
  const child = startRenderChild((message) => receive(message))
  const exited = child.exited.then(() => null)
  const ready = new Promise<void>((resolve) => {
    receive = ({ kind }) => kind === 'ready' && resolve()
  })
  child.send({ kind: 'prelude', source: await readBundleText('prelude.js') })
  await Promise.race([ready, exited])
  let [lastId, seen] = [0, 0]
  return {
    async run(script) {
      const id = ++lastId
      const answered = new Promise<SampleResult>((resolve) => {
        receive = (message) => {
          if (message.kind === 'sampled' && message.id === id) resolve(message.result)
        }
      })
      const watch = watchChild(child)
      child.send({ kind: 'sample', id, ...script })
      try {
        return await Promise.race([answered, exited])
      } finally {
        clearInterval(watch)
      }
    },
    async takeUsage() {
      const cpu = (await child.usage().catch(() => null))?.cpuSeconds ?? 0
      const used = cpu - seen
      seen = cpu
      return used
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
