/** Checks whether URLs of other sites work, politely and within limits; uncertain results are reported as such. */
import { mapBounded } from '../../../base/bounded.ts'
import { type GuardedFetch, GuardedFetchError } from '../../../base/net/guarded-fetch.ts'
import type { AskedAddresses, NewAddress } from '../operations/agent-review.ts'

const MOST = 30
const AT_ONCE = 4
const EACH_MS = 10_000
const ALL_MS = 45_000
const KEPT_BYTES = 1024
const HEADERS = { 'user-agent': 'Octavo link check', accept: 'text/html,*/*;q=0.8' }
/** Status codes of a page that does not exist. */
const GONE = new Set([404, 410])

/** Never rejects because of a URL, only with the signal's reason. */
export async function askAddresses(
  guarded: Pick<GuardedFetch, 'fetch'>,
  addresses: readonly NewAddress[],
  signal: AbortSignal,
): Promise<AskedAddresses> {
  const time = AbortSignal.timeout(ALL_MS)
  const either = AbortSignal.any([signal, time])
  const asked = addresses.slice(0, MOST)
  const answers = await mapBounded(asked, AT_ONCE, async (address) => {
    try {
      return { address, answer: await statusOf(guarded, address.url, either) }
    } catch (error) {
      signal.throwIfAborted()
      if (time.aborted) return { address, answer: 'there was no time left' }
      return { address, answer: error instanceof GuardedFetchError ? error.message : 'it could not be asked' }
    }
  })
  const unsure: { url: string; why: string }[] = []
  const dead: (NewAddress & { status: number })[] = []
  let good = 0
  for (const { address, answer } of answers) {
    if (typeof answer === 'string') unsure.push({ url: address.url, why: answer })
    else if (GONE.has(answer)) dead.push({ ...address, status: answer })
    else if (answer < 300) good++
    else unsure.push({ url: address.url, why: `it answered ${answer}` })
  }
  return { good, dead, unsure, left: addresses.length - asked.length }
}

/** Many sites do not support HEAD: a rejected request is repeated with GET. */
async function statusOf(
  guarded: Pick<GuardedFetch, 'fetch'>,
  url: string,
  signal: AbortSignal,
): Promise<number> {
  const request = {
    headers: HEADERS,
    timeoutMs: EACH_MS,
    maxBytes: KEPT_BYTES,
    onLarger: 'cut',
    signal,
  } as const
  const head = await guarded.fetch(url, { ...request, method: 'HEAD' })
  if (head.status < 400) return head.status
  return (await guarded.fetch(url, request)).status
}
