/**
 * The only access to esbuild, which runs as a separate process. Errors in a script become a ScriptFault. If the
 * process dies, it is restarted and the call is repeated, since its results depend only on the input.
 */
import type { BuildFailure, Message } from 'esbuild'
import { InternalError } from '../../base/internal-error.ts'
import type { Log } from '../../base/log.ts'

type Esbuild = typeof import('esbuild')

/** An error in a script, with esbuild's message. */
export class ScriptFault extends Error {
  override name = 'ScriptFault'
  /** 1-based; null if no line is known. */
  readonly line: number | null
  constructor(message: string, line: number | null) {
    super(message)
    this.line = line
  }
}

/** Namespace of author scripts in bundles of several files. */
export const AUTHOR = 'author'
/** File name of the input text. */
const STDIN_NAME = '<stdin>'
const MAX_ATTEMPTS = 3
/** The interval is arbitrary; only the existence of the timer matters. */
const KEEP_ALIVE_MS = 60_000
/** Number of the current process, so that concurrent callers that lose it start only one replacement. */
let current = 0

/** Rejects with ScriptFault or InternalError. */
export async function runEsbuild<Out>(log: Log, run: (esbuild: Esbuild) => Promise<Out>): Promise<Out> {
  // esbuild relies on its child process alone to keep this process alive, but the end of the child's output, which
  // reports its loss, may arrive after the child has exited.
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS)
  try {
    return await runWithRetries(log, run)
  } finally {
    clearInterval(keepAlive)
  }
}

async function runWithRetries<Out>(log: Log, run: (esbuild: Esbuild) => Promise<Out>): Promise<Out> {
  for (let attempts = 1; ; attempts++) {
    const asked = current
    try {
      return await run(await import('esbuild')) // loaded lazily: sites without scripts do not use it
    } catch (error) {
      throwFault(error)
      if (asked === current) await restart(log, error)
      if (attempts === MAX_ATTEMPTS)
        throw new InternalError('the program that translates scripts ended without an answer', {
          cause: error,
        })
    }
  }
}

/** Throws a ScriptFault if all messages have a position in an author's text. */
function throwFault(error: unknown): void {
  const messages = (error as Partial<BuildFailure>).errors ?? []
  const [first] = messages
  if (first !== undefined && messages.every(isOfText))
    throw new ScriptFault(first.text, first.location?.line ?? null)
}

function isOfText({ location, detail, pluginName }: Message): boolean {
  if (location === null || pluginName !== '' || detail instanceof Error) return false
  return location.namespace === AUTHOR || location.file === STDIN_NAME
}

async function restart(log: Log, error: unknown): Promise<void> {
  current += 1
  log.error({ error: error instanceof Error ? error.message : String(error) }, 'esbuild.lost')
  await (await import('esbuild')).stop()
}
