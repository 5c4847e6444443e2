/** Accepts feedback from readers and agents. */

import { AppError } from '../../../base/errors/errors.ts'
import { createFault, type Fault, faultAt } from '../../../base/errors/fault.ts'
import { createId } from '../../../base/ids.ts'
import type { Tx } from '../../../database/database.ts'
import type { FeedbackReceipt, SubmitFeedbackBody } from '../../reader/operations/reader.ts'
import { CHALLENGE_HEADER } from '../../reader/operations/reader.ts'
import { type NewFeedback, type StoredFeedback, upsertFeedback } from '../store.ts'
import { hashAddress } from './address-hash.ts'
import type { FeedbackEventDeps } from './events.ts'
import type { FloodWatch } from './flood-watch.ts'
import { createChallenge, isProofValid } from './proof-of-work.ts'
import { readSubmission, type Submission, submissionFaults } from './submission.ts'

export interface IntakeDeps extends FeedbackEventDeps {
  /** Key for address hashes and challenge signatures; must be the same on every server. */
  secret: string
  flood: FloodWatch
  /** Headers with the site's limit, sent with rejections during a flood. */
  floodHeaders: Record<string, string>
  /** Returns milliseconds since the epoch. Default: the system clock. */
  now?: () => number
}

export interface FeedbackSite {
  siteId: string
  projectId: string
}

export interface IntakeCall {
  site: FeedbackSite
  body: SubmitFeedbackBody
  address: string
  /** Returns the canonical path of the page, or null if the published site has no such page. */
  findPage(path: string): Promise<string | null>
  /** Takes a rate limit slot and runs `write` in one transaction. Throws AppError `rate_limited`. */
  commit(slot: SenderSlot, write: (tx: Tx) => Promise<FeedbackReceipt>): Promise<FeedbackReceipt>
}

export interface SenderSlot {
  limit: 'feedback' | 'agentFeedback'
  /** Senders with the same key share a window. */
  windowKey: string
}

/**
 * Resolves after the entry is stored. Repeating the call with the same client `id` changes nothing and
 * returns the same receipt. Throws AppError `invalid_request` with every fault, `rate_limited`,
 * `proof_required`, `feedback_id_taken`.
 */
export async function submitFeedback(deps: IntakeDeps, call: IntakeCall): Promise<FeedbackReceipt> {
  const { site, body } = call
  const path = await checkSubmission(call)
  const submission = readSubmission(body)
  const addressHash = hashAddress(deps.secret, site.siteId, call.address, new Date(currentTime(deps)))
  const slot = createSenderSlot(site, submission, addressHash)
  if (isHoneypotFilled(body)) return call.commit(slot, async () => createDecoyReceipt(submission))
  await requireProofOfWork(deps, call, submission)
  const entry = { ...submission, projectId: site.projectId, path, addressHash }
  const receipt = await call.commit(slot, (tx) => record(deps, tx, entry))
  deps.flood.count(site.projectId)
  return receipt
}

async function checkSubmission({ body, findPage }: IntakeCall): Promise<string> {
  const path = await findPage(body.path)
  const details = submissionFaults(body)
  if (path !== null && details.length === 0) return path
  throw new AppError('invalid_request', { details: path === null ? [...details, PAGE_FAULT] : details })
}

export const PAGE_FAULT = faultAt('/path', 'invalid_site_path')

/** The field is invisible, so only bots fill it in. They get no hint that they were detected. */
function isHoneypotFilled({ website = '' }: SubmitFeedbackBody): boolean {
  return website !== ''
}

function createDecoyReceipt({ source }: Submission): FeedbackReceipt {
  return { id: createId('fb'), source }
}

/** Requires proof of work while the site receives more feedback than its readers would send. */
async function requireProofOfWork(
  deps: IntakeDeps,
  { site, body }: IntakeCall,
  { clientId }: Submission,
): Promise<void> {
  const bits = await deps.flood.difficulty(site.projectId)
  if (bits === 0) return
  if (clientId === null) throw proofRequired(deps, { ...createFault('proof_id'), field: '/id' })
  const entry = { siteId: site.siteId, clientId }
  if (body.proof !== undefined && isProofValid(deps.secret, body.proof, entry, currentTime(deps))) return
  const challenge = createChallenge(deps.secret, { ...entry, bits }, currentTime(deps))
  throw proofRequired(
    deps,
    { ...createFault('proof_challenge', { header: CHALLENGE_HEADER }), field: '/proof' },
    { [CHALLENGE_HEADER]: `"${challenge}";bits=${bits}` },
  )
}

function proofRequired(
  { floodHeaders }: IntakeDeps,
  fault: Fault,
  headers: Record<string, string> = {},
): AppError {
  return new AppError('proof_required', { details: [fault], headers: { ...floodHeaders, ...headers } })
}

function createSenderSlot({ siteId }: FeedbackSite, { source }: Submission, addressHash: Buffer): SenderSlot {
  return {
    limit: source === 'agent' ? 'agentFeedback' : 'feedback',
    windowKey: `${siteId}:${addressHash.toString('base64url')}`,
  }
}

function toReceipt(stored: StoredFeedback): FeedbackReceipt {
  if (stored.kind === 'other') throw new AppError('feedback_id_taken')
  return { id: stored.id, source: stored.source }
}

async function record(deps: FeedbackEventDeps, tx: Tx, entry: NewFeedback): Promise<FeedbackReceipt> {
  const stored = await upsertFeedback(tx, entry)
  const receipt = toReceipt(stored)
  if (stored.kind !== 'same') {
    const type = stored.kind === 'created' ? 'feedback.created' : 'feedback.updated'
    await deps.reportFeedbackChanges(tx, { type, projectId: entry.projectId, feedbackIds: [receipt.id] })
  }
  return receipt
}

function currentTime(deps: IntakeDeps): number {
  return (deps.now ?? Date.now)()
}
