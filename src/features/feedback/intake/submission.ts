/** What a reader or an agent sent, understood: which of the four sources it is, and what is wrong with it. */
import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import type { SubmitFeedbackBody } from '../../reader/operations/reader.ts'
import type { FeedbackSource } from '../operations/feedback.ts'

export interface Submission {
  source: FeedbackSource
  /** Made by the client; null when it made none. */
  clientId: string | null
  helpful: boolean | null
  reason: string | null
  comment: string | null
  contact: string | null
  code: string | null
  filename: string | null
  lang: string | null
  pageVersion: string | null
}

const VOTE_FIELDS = ['helpful', 'reason', 'comment', 'contact'] as const
const CODE_FIELDS = ['code', 'filename', 'lang'] as const

/** One sentence for each thing wrong that the schema of the body cannot see; what has the wrong type is left to it. */
export function submissionFaults(body: unknown): Fault[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const has = (name: string) => Object.hasOwn(body, name)
  const faults = idFaults((body as { id?: unknown }).id)
  if (has('feedback')) {
    const others = [...VOTE_FIELDS, ...CODE_FIELDS].filter(has)
    const words = 'cannot stand beside `/feedback`, which is the word of an agent'
    return [...faults, ...others.map((name) => faultAt(`/${name}`, words))]
  }
  if (has('code')) return faults
  const strays = ['filename', 'lang'].filter(has)
  faults.push(...strays.map((name) => faultAt(`/${name}`, 'is of a code block: send `/code` too')))
  if (has('helpful')) return faults
  const isWords = ['reason', 'comment', 'contact'].some(has)
  return [
    ...faults,
    isWords
      ? faultAt('/helpful', 'is required with a reason, a comment or a contact')
      : { message: 'One of `/helpful`, `/code` and `/feedback` is required' },
  ]
}

/** Taken, the id of an answer would make a second entry in silence. */
function idFaults(id: unknown): Fault[] {
  if (typeof id !== 'string' || !/^fb_[0-9a-z]{26}$/.test(id)) return []
  return [
    faultAt(
      '/id',
      'came with an answer and is no id to send: make one at random for the first call, and send it again with what is added',
    ),
  ]
}

/** A body without faults. */
export function readSubmission(body: SubmitFeedbackBody): Submission {
  return {
    source: sourceOf(body),
    clientId: body.id ?? null,
    helpful: body.helpful ?? null,
    reason: body.reason ?? null,
    comment: body.feedback ?? body.comment ?? null,
    contact: body.contact ?? null,
    code: body.code ?? null,
    filename: body.filename ?? null,
    lang: body.lang ?? null,
    pageVersion: body.pageVersion ?? null,
  }
}

function sourceOf({ feedback, code, reason, comment, contact }: SubmitFeedbackBody): FeedbackSource {
  if (feedback !== undefined) return 'agent'
  if (code !== undefined) return 'code_snippet'
  return [reason, comment, contact].some((part) => part !== undefined) ? 'contextual' : 'thumbs_only'
}
