/** `octavo doctor`, for what lies elsewhere: whether it answers, and what time it has. */
import { type Finding, fault, ok, reason, warning } from './finding.ts'

/** Signed links and sign-ins go by the clock. */
export const SKEW_MS = 60_000

/** Any answer will do: whether the credentials are right is seen at the first use. */
export async function reach(check: string, name: string, url: string, remedy: string): Promise<Finding> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
    const told = Date.parse(answer.headers.get('date') ?? '')
    if (Math.abs(told - Date.now()) > SKEW_MS)
      return warning(check, `The clock of ${name} differs from this machine's.`, 'Set the clock by NTP.')
    return ok(check, `${name} answers.`)
  } catch (error) {
    return fault(check, `${name} cannot be reached: ${reason(error)}.`, remedy)
  }
}
