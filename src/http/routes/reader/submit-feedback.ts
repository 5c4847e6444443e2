/** POST /_octavo/feedback and /_octavo/sites/{siteId}/feedback: what readers and agents say. */
import type { Fault } from '../../../contract/fault.ts'
import type { FeedbackReceipt } from '../../../contract/reader.ts'
import { type IntakeDeps, PAGE_FAULT, submitFeedback as submit } from '../../../feedback/intake.ts'
import { canonicalPagePath } from '../../../feedback/page-path.ts'
import { submissionFaults } from '../../../feedback/submission.ts'
import type { ReaderSite, ReaderSites } from '../../../hosting/reader-sites.ts'
import type { ReaderCall } from '../../reader-route.ts'

interface PageDeps {
  readerSites: ReaderSites
}

export type SubmitFeedbackDeps = IntakeDeps & PageDeps

export function submitFeedback(
  deps: SubmitFeedbackDeps,
  call: ReaderCall<'submitFeedback'>,
): Promise<FeedbackReceipt> {
  return submit(deps, { ...call, findPage: (path) => findPage(deps, call.site, path) })
}

/** One sentence for each thing wrong that the schema cannot see: fields that exclude each other, a page that is not there. */
export async function submissionRule(
  deps: PageDeps,
  { site, body }: { site: ReaderSite; body: unknown },
): Promise<Fault[]> {
  const path = (body as { path?: unknown } | null | undefined)?.path
  const isNoPage = typeof path === 'string' && path !== '' && (await findPage(deps, site, path)) === null
  return [...submissionFaults(body), ...(isNoPage ? [PAGE_FAULT] : [])]
}

async function findPage(deps: PageDeps, site: ReaderSite, given: string): Promise<string | null> {
  const path = canonicalPagePath(given)
  return path !== null && (await deps.readerSites.hasPage(site, path)) ? path : null
}
