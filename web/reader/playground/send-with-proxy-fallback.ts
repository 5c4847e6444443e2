/** Sends a request directly to the API or, if that fails, through the platform's proxy. */
import type { BuiltRequest } from '../../../src/openapi/build-request.ts'
import { type Answer, type SendOptions, sendRequest } from './send-request.ts'
import { proxyHost, resolveProxyUrl, sendThroughProxy } from './send-through-proxy.ts'

interface ProxyFallbackOptions extends SendOptions {
  onProxy(host: string): void
}

/**
 * Rejects with the first error if the platform is unreachable too. Only requests that the page could not send, or
 * whose response it may not read, are repeated. A request with side effects is only repeated if a preflight has
 * certainly prevented the first attempt, since it must not be executed twice.
 */
export async function sendWithProxyFallback(
  request: BuiltRequest,
  options: ProxyFallbackOptions,
): Promise<Answer> {
  let hasArrived = false
  const onProgress: SendOptions['onProgress'] = (answer) => {
    hasArrived = true
    options.onProgress(answer)
  }
  try {
    return await sendRequest(request, { ...options, onProgress })
  } catch (error) {
    // Part of the response has arrived, so the request must not be repeated.
    if (!(error instanceof TypeError) || options.signal.aborted || hasArrived) throw error
    const address = await resolveProxyUrl()
    if (address === null || mayHaveArrived(request)) throw error
    options.onProxy(proxyHost(address))
    return await sendThroughProxy(address, request, options).catch((second: unknown) => {
      throw second instanceof TypeError ? error : second
    })
  }
}

/**
 * Returns whether a failed request may have reached the API. Browsers send simple requests without a preflight, so a
 * simple request with side effects may have been executed although its response could not be read.
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
