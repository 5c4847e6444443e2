/**
 * The one door to esbuild, a program of its own that runs beside this process. What it says of a text is a ScriptFault;
 * when it dies, it is started anew and asked once more, for its answers follow from what it is asked.
 */
import type { BuildFailure, Message } from 'esbuild'
import type { Log } from '../../base/log.ts'
import { MachineryError } from '../../base/machinery-error.ts'

type Esbuild = typeof import('esbuild')

/** What is wrong with a script; the message is esbuild's. */
export class ScriptFault extends Error {
  override name = 'ScriptFault'
  /** 1-based; null when there is no line to name. */
  readonly line: number | null
  constructor(message: string, line: number | null) {
    super(message)
    this.line = line
  }
}

/** Namespace of scripts that an author wrote, in bundles of several. */
export const AUTHOR = 'author'
/** The text that was asked about. */
const ASKED = '<stdin>'
const MOST_TRIES = 3
/** Of any length: only that a timer is set matters. */
const AWAKE_MS = 60_000
/** Counts the processes, so that all who lose one at the same moment start one and not many. */
let current = 0

/** Rejects with ScriptFault, or with MachineryError. */
export async function askEsbuild<Out>(log: Log, ask: (esbuild: Esbuild) => Promise<Out>): Promise<Out> {
  // esbuild counts on its process alone to keep this one awake; the end of its output, which says that it was lost, may
  // come later than the end of the process.
  const awake = setInterval(() => undefined, AWAKE_MS)
  try {
    return await askUntilAnswered(log, ask)
  } finally {
    clearInterval(awake)
  }
}

async function askUntilAnswered<Out>(log: Log, ask: (esbuild: Esbuild) => Promise<Out>): Promise<Out> {
  for (let tries = 1; ; tries++) {
    const asked = current
    try {
      return await ask(await import('esbuild')) // a site without scripts does without it
    } catch (error) {
      throwFault(error)
      if (asked === current) await startAnew(log, error)
      if (tries === MOST_TRIES)
        throw new MachineryError('the program that translates scripts ended without an answer', {
          cause: error,
        })
    }
  }
}

/** Only a message with a place in a text of the author is about that text. */
function throwFault(error: unknown): void {
  const messages = (error as Partial<BuildFailure>).errors ?? []
  const [first] = messages
  if (first !== undefined && messages.every(isOfText))
    throw new ScriptFault(first.text, first.location?.line ?? null)
}

function isOfText({ location, detail, pluginName }: Message): boolean {
  if (location === null || pluginName !== '' || detail instanceof Error) return false
  return location.namespace === AUTHOR || location.file === ASKED
}

async function startAnew(log: Log, error: unknown): Promise<void> {
  current += 1
  log.error({ error: error instanceof Error ? error.message : String(error) }, 'esbuild.lost')
  await (await import('esbuild')).stop()
}
