/** Straight to the API; where that cannot be, by way of the platform. */
import type { BuiltRequest } from '../../../src/openapi/build-request.ts'
import { type Answer, type SendOptions, sendRequest } from './send-request.ts'
import { platformAddress, platformHost, sendThrough } from './send-through.ts'

interface AnyhowOptions extends SendOptions {
  /** Told before the platform is asked. */
  onThrough(host: string): void
}

/**
 * Rejects as the first attempt did when the platform cannot be asked either. Only what a page could not even ask, or may
 * not read, goes a second time; a call that writes may then have been made twice, so the API is asked first whether it
 * would have let the page.
 */
export async function sendAnyhow(request: BuiltRequest, options: AnyhowOptions): Promise<Answer> {
  let hasArrived = false
  const onProgress: SendOptions['onProgress'] = (answer) => {
    hasArrived = true
    options.onProgress(answer)
  }
  try {
    return await sendRequest(request, { ...options, onProgress })
  } catch (error) {
    // An answer that breaks off is one: nothing is asked again.
    if (!(error instanceof TypeError) || options.signal.aborted || hasArrived) throw error
    const address = await platformAddress()
    if (address === null || mayHaveArrived(request)) throw error
    options.onThrough(platformHost(address))
    return await sendThrough(address, request, options).catch((second: unknown) => {
      throw second instanceof TypeError ? error : second
    })
  }
}

/**
 * A browser asks the API before it sends anything but the plainest request. Such a plain one that writes may have arrived
 * although its answer could not be read: nobody wants it made twice.
 */
export function mayHaveArrived({ method, headers, body }: BuiltRequest): boolean {
  if (method !== 'POST') return false
  const isPlain = headers.every(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'content-type')
      return /^(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(value)
    return lower === 'accept' || lower === 'accept-language' || lower === 'content-language'
  })
  return isPlain && body?.kind !== 'json'
}
