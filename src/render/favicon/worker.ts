/** The thread in which icons are made of an author's file: one file, one answer. */
import { parentPort, workerData } from 'node:worker_threads'
import { type IconJob, type MadeIcons, makeIcons } from './make-icons.ts'
import { UnusableFaviconError } from './picture.ts'

/** `fault` goes on after "The favicon". */
export type IconAnswer = { made: MadeIcons } | { fault: string; level: UnusableFaviconError['level'] }

async function answer(): Promise<IconAnswer> {
  try {
    return { made: await makeIcons(workerData as IconJob) }
  } catch (error) {
    if (error instanceof UnusableFaviconError) return { fault: error.message, level: error.level }
    throw error
  }
}

parentPort?.postMessage(await answer())
