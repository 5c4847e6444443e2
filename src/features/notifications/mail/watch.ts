/** Sends due mails in the background. Several nodes share the work by claiming rows. */
import type { Log } from '../../../base/log.ts'
import { repeat } from '../../../base/repeat.ts'
import { type LetterDeps, type Prepared, prepareInvitation, preparePassword } from './links.ts'
import { type MailServer, readMailServer } from './mail-setup.ts'
import { type ClaimedMail, claimMails, dropMail, giveUpMails, type MailKind, settleMail } from './mails.ts'
import { decideMails, prepareNotifications } from './notification-mails.ts'
import { sendBySmtp } from './smtp.ts'

export interface MailWatchDeps extends LetterDeps {
  log: Log
  /** Called after each successful round. */
  onLook?: () => void
}

const ROUND_MS = 1000
/** Concurrent SMTP sessions. */
const ROOM = 4

export function watchMails(deps: MailWatchDeps): AsyncDisposable {
  const { log, onLook } = deps
  return repeat({
    work: (signal) => sendDue(deps, signal),
    everyMs: ROUND_MS,
    onFailure: (error) => log.warn({ error: error.message }, 'mails.look_failed'),
    ...(onLook === undefined ? {} : { onRound: onLook }),
  })
}

/** Sends mails until none is due. Without a mail server, mails wait. */
export async function sendDue(deps: Omit<MailWatchDeps, 'onLook'>, signal: AbortSignal): Promise<void> {
  const { database, source } = deps
  const server = await readMailServer(source, database.queries)
  await decideMails(database, { sends: server !== null }, signal)
  await giveUpMails(database.queries)
  if (server === null) return
  for (let claimed = ROOM; claimed === ROOM; ) {
    signal.throwIfAborted()
    const mails = await claimMails(database.queries, ROOM)
    await Promise.all(mails.map((mail) => sendOne(deps, server, mail)))
    claimed = mails.length
  }
}

const PREPARE: Record<MailKind, (deps: LetterDeps, mail: ClaimedMail) => Promise<Prepared>> = {
  invitation: prepareInvitation,
  password: preparePassword,
  notifications: prepareNotifications,
  digest: prepareNotifications,
}

/** Leaves mails of an unknown kind to the newer version that created them. */
async function sendOne(deps: MailWatchDeps, server: MailServer, claimed: ClaimedMail): Promise<void> {
  const { database, log } = deps
  const { id, kind, attempts } = claimed
  if (!isMailKind(kind)) return
  try {
    const prepared = await PREPARE[kind](deps, claimed)
    if ('dropped' in prepared) {
      await dropMail(database.queries, claimed, prepared.dropped)
      log.info({ mailId: id, kind, why: prepared.dropped }, 'mail.dropped')
      return
    }
    const outcome = await sendBySmtp(server, id, prepared.mail)
    await settleMail(database.queries, claimed, outcome)
    if (outcome.kind === 'sent') log.info({ mailId: id, kind, attempts }, 'mail.sent')
    else log.warn({ mailId: id, kind, attempts, isFinal: outcome.isFinal }, 'mail.failed')
  } catch (error) {
    // The lease expires, and the same mail is sent again. Log only the message: the error's details may contain the
    // row, including the address.
    log.warn({ mailId: id, kind, attempts, error: (error as Error).message }, 'mail.try_lost')
  }
}

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(PREPARE, kind)
}
