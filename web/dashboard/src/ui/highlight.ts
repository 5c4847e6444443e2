/**
 * Colors of source code, from a worker that starts with the first file and is stopped if a file takes too
 * long.
 */
import type { HighlightRequest, LineTokens } from './highlight-worker.ts'
import address from './highlight-worker.ts?worker&url'

const MAX_CHARACTERS = 200_000
/** Per file, and only once the worker has loaded, which takes seconds on a busy machine. */
const TIMEOUT_MS = 5000

const asIs = { createScriptURL: (url: string) => url }
/** Browsers without trusted types accept the URL unchanged. */
const trusted = globalThis.trustedTypes?.createPolicy('octavo', asIs) ?? asIs

let loading: Promise<Worker> | null = null
let last: Promise<unknown> = Promise.resolve()

/** Returns the tokens of each line; null to show the file without colors. Files are highlighted one after another. */
export function highlight(request: HighlightRequest, signal: AbortSignal): Promise<LineTokens[] | null> {
  const result = last.then(() => (signal.aborted ? null : askWorker(request)))
  last = result
  return result
}

async function askWorker(request: HighlightRequest): Promise<LineTokens[] | null> {
  if (request.text.length > MAX_CHARACTERS) return null
  loading ??= loadWorker()
  const worker = await loading.catch(() => null)
  if (worker === null) {
    loading = null
    return null
  }
  return new Promise((resolve) => {
    const stop = () => {
      worker.terminate()
      loading = null
      resolve(null)
    }
    const timer = setTimeout(stop, TIMEOUT_MS)
    worker.onerror = stop
    worker.onmessage = ({ data }: MessageEvent<LineTokens[] | null>) => {
      clearTimeout(timer)
      resolve(data)
    }
    worker.postMessage(request)
  })
}

/** Resolves with the first message, which the worker sends when it has loaded. */
function loadWorker(): Promise<Worker> {
  const worker = new Worker(trusted.createScriptURL(address), { type: 'module' })
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve(worker)
    worker.onerror = reject
  })
}
