/**
 * Runs esbuild, which is a separate process. Must be used for all calls. Errors in a script become a
 * ScriptFault. If the process dies, it is restarted and the call is repeated, since the result depends only
 * on the input.
 */
import type { BuildFailure, Message } from 'esbuild'
import { InternalError } from '../../base/internal-error.ts'
import type { Log } from '../../base/log.ts'

type Esbuild = typeof import('esbuild')

/** Error in a script, with the message of esbuild. */
export class ScriptFault extends Error {
  override name = 'ScriptFault'
  /** Starts at 1; null if unknown. */
  readonly line: number | null
  constructor(message: string, line: number | null) {
    super(message)
    this.line = line
  }
}

/** Namespace of scripts by authors in bundles. */
export const AUTHOR = 'author'
/** File name that esbuild uses for its input text. */
const STDIN_NAME = '<stdin>'
const MAX_ATTEMPTS = 3
/** Arbitrary, because only the existence of the timer matters. */
const KEEP_ALIVE_MS = 60_000
/** Number of the esbuild process, so that concurrent callers restart a dead process only once. */
let current = 0

/** Rejects with ScriptFault or InternalError. */
export async function runEsbuild<Out>(log: Log, run: (esbuild: Esbuild) => Promise<Out>): Promise<Out> {
  // Keeps this process alive until the call settles. Otherwise, only esbuild's child process would keep it alive. The
  // child may exit before its output ends, but its death is reported only when the output ends.
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
      return await run(await import('esbuild')) // loaded on demand, because sites without scripts do not use it
    } catch (error) {
      throwScriptFault(error)
      if (asked === current) await restart(log, error)
      if (attempts === MAX_ATTEMPTS)
        throw new InternalError('esbuild stopped without a result', {
          cause: error,
        })
    }
  }
}

/** Throws a ScriptFault if all messages refer to a position in a script. */
function throwScriptFault(error: unknown): void {
  const messages = (error as Partial<BuildFailure>).errors ?? []
  const [first] = messages
  if (first !== undefined && messages.every(isAboutScript))
    throw new ScriptFault(first.text, first.location?.line ?? null)
}

function isAboutScript({ location, detail, pluginName }: Message): boolean {
  if (location === null || pluginName !== '' || detail instanceof Error) return false
  return location.namespace === AUTHOR || location.file === STDIN_NAME
}

async function restart(log: Log, error: unknown): Promise<void> {
  current += 1
  log.error({ error: error instanceof Error ? error.message : String(error) }, 'esbuild.lost')
  await (await import('esbuild')).stop()
}
