/** Checks whether URLs of other sites work, politely and within limits; uncertain results are reported as such. */
import { mapBounded } from '../../../base/bounded.ts'
import { type GuardedFetch, GuardedFetchError } from '../../../base/net/guarded-fetch.ts'
import type { CheckedAddresses, NewAddress } from '../operations/agent-review.ts'

const MAX_ADDRESSES = 30
const MAX_CONCURRENT_REQUESTS = 4
const REQUEST_TIMEOUT_MS = 10_000
const TOTAL_TIMEOUT_MS = 45_000
const MAX_BODY_BYTES = 1024
const HEADERS = { 'user-agent': 'Octavo link check', accept: 'text/html,*/*;q=0.8' }
const MISSING_PAGE_STATUSES = new Set([404, 410])

/** Never rejects because of a URL, only with the signal's reason. */
export async function checkAddresses(
  guarded: Pick<GuardedFetch, 'fetch'>,
  addresses: readonly NewAddress[],
  signal: AbortSignal,
): Promise<CheckedAddresses> {
  const time = AbortSignal.timeout(TOTAL_TIMEOUT_MS)
  const either = AbortSignal.any([signal, time])
  const checked = addresses.slice(0, MAX_ADDRESSES)
  const answers = await mapBounded(checked, MAX_CONCURRENT_REQUESTS, async (address) => {
    try {
      return { address, answer: await fetchStatus(guarded, address.url, either) }
    } catch (error) {
      signal.throwIfAborted()
      if (time.aborted) return { address, answer: 'it was not checked because the time was up' }
      return {
        address,
        answer: error instanceof GuardedFetchError ? error.message : 'it could not be reached',
      }
    }
  })
  const unsure: { url: string; why: string }[] = []
  const dead: (NewAddress & { status: number })[] = []
  let good = 0
  for (const { address, answer } of answers) {
    if (typeof answer === 'string') unsure.push({ url: address.url, why: answer })
    else if (MISSING_PAGE_STATUSES.has(answer)) dead.push({ ...address, status: answer })
    else if (answer < 300) good++
    else unsure.push({ url: address.url, why: `it answered ${answer}` })
  }
  return { good, dead, unsure, left: addresses.length - checked.length }
}

/** Many sites do not support HEAD: a rejected request is repeated with GET. */
async function fetchStatus(
  guarded: Pick<GuardedFetch, 'fetch'>,
  url: string,
  signal: AbortSignal,
): Promise<number> {
  const request = {
    headers: HEADERS,
    timeoutMs: REQUEST_TIMEOUT_MS,
    maxBytes: MAX_BODY_BYTES,
    onLarger: 'cut',
    signal,
  } as const
  const head = await guarded.fetch(url, { ...request, method: 'HEAD' })
  if (head.status < 400) return head.status
  return (await guarded.fetch(url, request)).status
}
