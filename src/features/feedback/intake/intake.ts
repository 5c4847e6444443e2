/** Takes in what readers and agents say. The body of `submitFeedback` is the list of steps. */

import { AppError } from '../../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import { createId } from '../../../base/ids.ts'
import type { Tx } from '../../../database/database.ts'
import type { FeedbackReceipt, SubmitFeedbackBody } from '../../reader/operations/reader.ts'
import { CHALLENGE_HEADER } from '../../reader/operations/reader.ts'
import { type NewFeedback, putFeedback, type StoredFeedback } from '../store.ts'
import { hashAddress } from './address-hash.ts'
import type { FeedbackEventDeps } from './events.ts'
import type { FloodWatch } from './flood-watch.ts'
import { createChallenge, isProofRight } from './proof-of-work.ts'
import { readSubmission, type Submission, submissionFaults } from './submission.ts'

export interface IntakeDeps extends FeedbackEventDeps {
  /** Keys the hashes of addresses and signs challenges; the same on every server. */
  secret: string
  flood: FloodWatch
  /** Tell the site's limit in the refusal of a flood. */
  floodHeaders: Record<string, string>
  /** Milliseconds. Default: the clock. */
  now?: () => number
}

/** The site that is spoken of. */
export interface FeedbackSite {
  siteId: string
  projectId: string
}

export interface IntakeCall {
  site: FeedbackSite
  body: SubmitFeedbackBody
  /** Of the sender. */
  address: string
  /** The page of that path in its one form, or null when the published site has no such page. */
  findPage(path: string): Promise<string | null>
  /** In one transaction: takes the place and runs the writes. Resolves when they are on disk. Throws `rate_limited`. */
  commit(place: SenderPlace, write: (tx: Tx) => Promise<FeedbackReceipt>): Promise<FeedbackReceipt>
}

/** One place in a window of the sender. */
export interface SenderPlace {
  limit: 'feedback' | 'agentFeedback'
  /** Who shares the window. */
  sharer: string
}

/**
 * Answers when the entry is safe. The same call again, with the client's `id`, changes nothing and answers the same.
 * Throws AppError `invalid_request` with every fault, `rate_limited`, `proof_required`, `feedback_id_taken`.
 */
export async function submitFeedback(deps: IntakeDeps, call: IntakeCall): Promise<FeedbackReceipt> {
  const { site, body } = call
  const path = await checkSubmission(call)
  const submission = readSubmission(body)
  const addressHash = hashAddress(deps.secret, site.siteId, call.address, new Date(nowOf(deps)))
  const place = placeOf(site, submission, addressHash)
  if (isTrapSprung(body)) return call.commit(place, async () => decoy(submission))
  await demandProof(deps, call, submission)
  const entry = { ...submission, projectId: site.projectId, path, addressHash }
  const receipt = await call.commit(place, (tx) => record(deps, tx, entry))
  deps.flood.count(site.projectId)
  return receipt
}

/** The page's path in its one form. */
async function checkSubmission({ body, findPage }: IntakeCall): Promise<string> {
  const path = await findPage(body.path)
  const details = submissionFaults(body)
  if (path !== null && details.length === 0) return path
  throw new AppError('invalid_request', { details: path === null ? [...details, PAGE_FAULT] : details })
}

export const PAGE_FAULT = faultAt('/path', 'must be the path of a page of this site, such as /guides/deploy')

/** People do not see the field: whoever fills it in is a program that fills in everything, and is told nothing. */
function isTrapSprung({ website = '' }: SubmitFeedbackBody): boolean {
  return website !== ''
}

function decoy({ source }: Submission): FeedbackReceipt {
  return { id: createId('fb'), source }
}

/** While the site gets more than its readers would send, an entry costs its sender some computing. */
async function demandProof(
  deps: IntakeDeps,
  { site, body }: IntakeCall,
  { clientId }: Submission,
): Promise<void> {
  const bits = await deps.flood.difficulty(site.projectId)
  if (bits === 0) return
  if (clientId === null)
    throw proofRequired(deps, {
      message: 'Send an `/id`, and solve the challenge that comes with it',
      field: '/id',
    })
  const entry = { siteId: site.siteId, clientId }
  if (body.proof !== undefined && isProofRight(deps.secret, body.proof, entry, nowOf(deps))) return
  const challenge = createChallenge(deps.secret, { ...entry, bits }, nowOf(deps))
  throw proofRequired(
    deps,
    {
      message: `Solve the challenge in the header ${CHALLENGE_HEADER}, and send it again with \`/proof\``,
      field: '/proof',
    },
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

function placeOf({ siteId }: FeedbackSite, { source }: Submission, addressHash: Buffer): SenderPlace {
  return {
    limit: source === 'agent' ? 'agentFeedback' : 'feedback',
    sharer: `${siteId}:${addressHash.toString('base64url')}`,
  }
}

function receiptOf(stored: StoredFeedback): FeedbackReceipt {
  if (stored.kind === 'other') throw new AppError('feedback_id_taken')
  return { id: stored.id, source: stored.source }
}

/** Upgrades the entry of this id or inserts one, and tells of it. */
async function record(deps: FeedbackEventDeps, tx: Tx, entry: NewFeedback): Promise<FeedbackReceipt> {
  const stored = await putFeedback(tx, entry)
  const receipt = receiptOf(stored)
  if (stored.kind !== 'same') {
    const type = stored.kind === 'created' ? 'feedback.created' : 'feedback.updated'
    await deps.tellFeedbackChanges(tx, { type, projectId: entry.projectId, feedbackIds: [receipt.id] })
  }
  return receipt
}

function nowOf(deps: IntakeDeps): number {
  return (deps.now ?? Date.now)()
}
