/**
 * Colors of source code, from a worker that starts with the first file and is stopped if a file takes too
 * long.
 */
import type { HighlightRequest, LineTokens } from './highlight-worker.ts'
import address from './highlight-worker.ts?worker&url'

const MAX_CHARACTERS = 200_000
const TIMEOUT_MS = 3000

const asIs = { createScriptURL: (url: string) => url }
/** Browsers without trusted types accept the URL unchanged. */
const trusted = globalThis.trustedTypes?.createPolicy('octavo', asIs) ?? asIs

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/** Returns the tokens of each line; null to show the file without colors. Files are highlighted one after another. */
export function highlight(request: HighlightRequest, signal: AbortSignal): Promise<LineTokens[] | null> {
  const result = last.then(() => (signal.aborted ? null : askWorker(request)))
  last = result
  return result
}

function askWorker(request: HighlightRequest): Promise<LineTokens[] | null> {
  if (request.text.length > MAX_CHARACTERS) return Promise.resolve(null)
  worker ??= new Worker(trusted.createScriptURL(address), { type: 'module' })
  const asked = worker
  return new Promise((resolve) => {
    const stop = () => {
      asked.terminate()
      worker = null
      resolve(null)
    }
    const timer = setTimeout(stop, TIMEOUT_MS)
    asked.onerror = stop
    asked.onmessage = ({ data }: MessageEvent<LineTokens[] | null>) => {
      clearTimeout(timer)
      resolve(data)
    }
    asked.postMessage(request)
  })
}
