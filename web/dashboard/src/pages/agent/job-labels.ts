/** Labels for the states, costs and counts of agent jobs. */

import type { JobErrorCode } from '../../../../../src/base/errors/permanent-error.ts'
import type { AgentWork } from '../../../../../src/features/dashboard/operations/work.ts'
import type { Tone } from '../../ui/badge.tsx'
import { language, plural, t } from '../../words/words.ts'
import { jobErrorRemedy } from '../job-reason.tsx'

export interface JobState {
  label: string
  tone: Tone
  isLive?: boolean
}

export function describeJobState({ job, state }: Pick<AgentWork, 'job' | 'state'>): JobState {
  if (job.status === 'active' && job.queuedBehind !== undefined)
    return { label: queueLabel(job.queuedBehind), tone: 'neutral' }
  if (job.status === 'active' && job.question !== null)
    return { label: t('Needs an answer'), tone: 'warning' }
  if (job.status === 'active') return { label: t('Working'), tone: 'accent', isLive: true }
  if (job.status === 'archived') return { label: t('Archived'), tone: 'neutral' }
  if (job.status === 'failed') {
    return job.errorCode === 'cancelled'
      ? { label: t('Cancelled'), tone: 'neutral' }
      : { label: t('Failed'), tone: 'danger' }
  }
  if (state === 'open') return { label: t('To review'), tone: 'warning' }
  if (state === 'merged') return { label: t('Merged'), tone: 'success' }
  if (state === 'closed') return { label: t('Declined'), tone: 'neutral' }
  return { label: t('No change'), tone: 'neutral' }
}

/** Only shown on the page of a job, not in lists. */
function queueLabel(behind: number): string {
  if (behind === 0) return t('Next in the queue')
  return plural(behind, 'Queued behind {count} job', 'Queued behind {count} jobs')
}

export function jobTitle({ job, prompt }: Pick<AgentWork, 'job' | 'prompt'>): string {
  return job.title ?? (firstLine(prompt) || t('Agent job'))
}

export function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').trim()
}

/** Returns `claude` for `anthropic:claude`; the provider only concerns the operator. */
export function stripProvider(model: string): string {
  return model.replace(/^[^:]*:/, '')
}

const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' })
const MIN_SHOWN_USD = 0.01

/** Returns `$0.42` or `under $0.01`; null when the price is unknown. */
export function formatUsd(usd: number | null): string | null {
  if (usd === null) return null
  return usd > 0 && usd < MIN_SHOWN_USD
    ? t('under {amount}', { amount: dollars.format(MIN_SHOWN_USD) })
    : dollars.format(usd)
}

const compact = new Intl.NumberFormat(language, { notation: 'compact' })

/** Returns `940`, `1.2K`, `12K` or `1.2M`. */
export function formatTokenCount(count: number): string {
  return compact.format(count)
}

/** Errors after which only a new job can continue. */
const FINAL_ERROR_CODES: ReadonlySet<JobErrorCode> = new Set(['archived', 'branch_gone'])

/** Returns whether another turn may succeed without a prior change, for example to settings. */
export function canRetry(code: JobErrorCode | null): boolean {
  return code === null || !FINAL_ERROR_CODES.has(code)
}

/** Returns advice for a failure; shown with the job's reason, a button and a message field. */
export function failureAdvice(code: JobErrorCode | null): string {
  if (code === null || code === 'cancelled') return t('Send a message to continue, or start a new job.')
  return jobErrorRemedy(code) ?? t('Try again.')
}
