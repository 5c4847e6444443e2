/** Sends due mails in the background. Several nodes share the work by claiming rows. */
import type { Log } from '../../../base/log.ts'
import { repeat } from '../../../base/repeat.ts'
import { type MailContentDeps, type PreparedMail, prepareInvitation, preparePassword } from './links.ts'
import {
  type ClaimedMail,
  claimMails,
  dropMail,
  failExpiredMails,
  type MailKind,
  recordMailOutcome,
} from './mail-queue.ts'
import { type MailServer, readMailServer } from './mail-setup.ts'
import { prepareNotifications, scheduleMails } from './notification-mails.ts'
import { sendBySmtp } from './smtp.ts'

export interface MailWatchDeps extends MailContentDeps {
  log: Log
  onRound?: () => void
}

const POLL_INTERVAL_MS = 1000
const MAX_CONCURRENT_MAILS = 4

export function watchMails(deps: MailWatchDeps): AsyncDisposable {
  const { log, onRound } = deps
  return repeat({
    work: (signal) => sendDueMails(deps, signal),
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => log.warn({ error: error.message }, 'mails.look_failed'),
    ...(onRound === undefined ? {} : { onRound: onRound }),
  })
}

/** Sends mails until none is due. Without a mail server, all mails wait. */
export async function sendDueMails(deps: Omit<MailWatchDeps, 'onRound'>, signal: AbortSignal): Promise<void> {
  const { database, source } = deps
  const server = await readMailServer(source, database.queries)
  await scheduleMails(database, { sends: server !== null }, signal)
  await failExpiredMails(database.queries)
  if (server === null) return
  for (let claimed = MAX_CONCURRENT_MAILS; claimed === MAX_CONCURRENT_MAILS; ) {
    signal.throwIfAborted()
    const mails = await claimMails(database.queries, MAX_CONCURRENT_MAILS)
    await Promise.all(mails.map((mail) => sendClaimedMail(deps, server, mail)))
    claimed = mails.length
  }
}

const MAIL_PREPARERS: Record<MailKind, (deps: MailContentDeps, mail: ClaimedMail) => Promise<PreparedMail>> =
  {
    invitation: prepareInvitation,
    password: preparePassword,
    notifications: prepareNotifications,
    digest: prepareNotifications,
  }

/** Skips mails of an unknown kind, which a newer version has created and will send. */
async function sendClaimedMail(deps: MailWatchDeps, server: MailServer, claimed: ClaimedMail): Promise<void> {
  const { database, log } = deps
  const { id, kind, attempts } = claimed
  if (!isMailKind(kind)) return
  try {
    const prepared = await MAIL_PREPARERS[kind](deps, claimed)
    if ('dropped' in prepared) {
      await dropMail(database.queries, claimed, prepared.dropped)
      log.info({ mailId: id, kind, why: prepared.dropped }, 'mail.dropped')
      return
    }
    const outcome = await sendBySmtp(server, id, prepared.mail)
    await recordMailOutcome(database.queries, claimed, outcome)
    if (outcome.kind === 'sent') log.info({ mailId: id, kind, attempts }, 'mail.sent')
    else log.warn({ mailId: id, kind, attempts, isFinal: outcome.isFinal }, 'mail.failed')
  } catch (error) {
    // The same mail is sent again when the lease expires. Only the message is logged, because the error's details
    // may contain the row with the mail address.
    log.warn({ mailId: id, kind, attempts, error: (error as Error).message }, 'mail.try_lost')
  }
}

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(MAIL_PREPARERS, kind)
}
