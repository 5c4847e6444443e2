/** Routes of the mail server settings for operators, and of password links by mail. */

import { AppError, refuseFaults } from '../../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import { FORM_FAULTS } from '../../../base/errors/form-faults.ts'
import { createId } from '../../../base/ids.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { findUser, normalEmail } from '../../accounts/people/users.ts'
import {
  type InstanceSettings,
  openInstanceSecret,
  readInstanceSettings,
  sealInstanceSecret,
  writeInstanceSettings,
} from '../../accounts/settings/instance-settings.ts'
import { lastChange } from '../../accounts/settings/model-settings.ts'
import { createTrialGate } from '../../accounts/settings/trial-gate.ts'
import { mailPasswordLink } from '../mail/links.ts'
import { isMailHost, type MailChoice, sendsPasswordOpenly } from '../mail/mail-choice.ts'
import { chosenMail, type MailSource, passwordPlace, sendsMail, serverOf } from '../mail/mail-setup.ts'
import { parseMailbox } from '../mail/mailbox.ts'
import { readMailQueue } from '../mail/mails.ts'
import { type MailFailure, sendBySmtp } from '../mail/smtp.ts'
import { testLetter } from '../mail/test-letter.ts'
import {
  type InstanceMail,
  type InstanceMailBody,
  type MAIL_OPERATIONS,
  MAIL_SETTINGS,
} from '../operations/mail.ts'

export interface InstanceMailDeps {
  mailSource: MailSource
  publicUrl: () => string
}

/**
 * Maximum number of concurrent tests in this process that wait for their server. Each holds a database connection.
 */
const MOST_TRIALS = 2
const TRIAL_MS = 25_000

export function instanceMailHandlers(deps: InstanceMailDeps): Handlers<typeof MAIL_OPERATIONS> {
  const throughGate = createTrialGate(MOST_TRIALS)
  return {
    async requestPassword({ tx, body }) {
      await mailPasswordLink(tx, deps.mailSource, normalEmail(body.email))
      return { body: { isMailed: await sendsMail(deps.mailSource, tx) } }
    },
    getInstanceMail: async ({ db }) => ({ body: await mailView(deps, db) }),
    async updateInstanceMail({ tx, caller: { id: actor }, body }) {
      if (deps.mailSource.given !== null) throw new AppError('set_by_environment')
      const { choice, keptPassword } = await choiceOf(deps, tx, body)
      const newPassword = body.password ?? null
      await storeChoice(deps, tx, { actor, choice, newPassword, keepsPassword: keptPassword !== null })
      const password = newPassword !== null ? 'set' : keptPassword === null ? 'none' : 'kept'
      return { body: await mailView(deps, tx), audit: { subject: 'mail', details: { ...choice, password } } }
    },
    async testInstanceMail({ tx, caller, body }) {
      const { choice, keptPassword } = await choiceOf(deps, tx, body)
      const server = serverOf(deps.mailSource, choice, body.password ?? keptPassword)
      const user = await findUser(tx, caller.id)
      if (server === null || user === null) {
        refuseFaults([faultAt('/host', FORM_FAULTS.mailServerToTest)])
        throw new AppError('invalid_request')
      }
      const to = { name: user.name, address: user.email }
      const started = performance.now()
      const outcome = await throughGate(() =>
        sendBySmtp(server, createId('mail'), { to, ...testLetter(deps.publicUrl()) }, { wholeMs: TRIAL_MS }),
      )
      const details = { host: server.host, port: server.port, tls: server.tls, sent: outcome.kind === 'sent' }
      const trial = {
        milliseconds: Math.round(performance.now() - started),
        to: user.email,
        said: outcome.kind === 'sent' ? outcome.said : null,
        failure: outcome.kind === 'sent' ? null : failureOf(outcome),
      }
      return { body: trial, audit: { subject: 'mail', details } }
    },
  }
}

function failureOf({ code, sentence, remedy }: MailFailure) {
  return { code, sentence, remedy }
}

/**
 * Validates the submitted settings, and returns the stored password if it is unchanged. Throws AppError
 * `invalid_request`.
 */
async function choiceOf(
  { mailSource: { given, instanceSecrets } }: InstanceMailDeps,
  db: Queries,
  { password, ...choice }: InstanceMailBody,
): Promise<{ choice: MailChoice; keptPassword: string | null }> {
  if (given !== null) throw new AppError('set_by_environment')
  const faults = choiceFaults(choice)
  if (typeof password === 'string' && /\p{Cc}/u.test(password))
    faults.push(faultAt('/password', FORM_FAULTS.oneLine))
  if (typeof password === 'string' && choice.user === null)
    faults.push(faultAt('/user', FORM_FAULTS.userOfPassword))
  refuseFaults(faults)
  const settings = await readInstanceSettings(db)
  const keptPassword =
    password === undefined
      ? openInstanceSecret(instanceSecrets, settings, 'mailPassword', passwordPlace(choice))
      : null
  if (choice.user !== null && !password && keptPassword === null)
    refuseFaults([
      faultAt(
        '/password',
        settings.has('mailPassword') && password === undefined
          ? FORM_FAULTS.passwordAgain
          : FORM_FAULTS.passwordOfUser,
      ),
    ])
  return { choice, keptPassword }
}

function choiceFaults(choice: MailChoice): Fault[] {
  const { host, user, from } = choice
  if (host === null)
    return [
      ...(user === null ? [] : [faultAt('/user', FORM_FAULTS.withoutServer)]),
      ...(from === null ? [] : [faultAt('/from', FORM_FAULTS.withoutServer)]),
    ]
  const faults: Fault[] = []
  if (!isMailHost(host)) faults.push(faultAt('/host', FORM_FAULTS.mailServer))
  if (user !== null && /\p{Cc}/u.test(user)) faults.push(faultAt('/user', FORM_FAULTS.oneLine))
  if (from === null || parseMailbox(from) === null) faults.push(faultAt('/from', FORM_FAULTS.mailSender))
  if (sendsPasswordOpenly(choice)) faults.push(faultAt('/tls', FORM_FAULTS.openPassword))
  return faults
}

interface Stored {
  actor: string
  choice: MailChoice
  newPassword: string | null
  /** Whether the stored password stays when there is no new one. */
  keepsPassword: boolean
}

async function storeChoice(
  { mailSource: { instanceSecrets } }: InstanceMailDeps,
  tx: Tx,
  { actor, choice, newPassword, keepsPassword }: Stored,
): Promise<void> {
  const { host, port, tls, user, from } = choice
  await writeInstanceSettings(tx, actor, {
    mailHost: host,
    mailPort: port === null ? null : String(port),
    mailTls: host === null ? null : tls,
    mailUser: user,
    mailFrom: from,
    ...(keepsPassword && newPassword === null ? {} : { mailPassword: null }),
  })
  const place = passwordPlace(choice)
  if (newPassword === null || place === null) return
  await sealInstanceSecret(tx, instanceSecrets, { actor, name: 'mailPassword', place, secret: newPassword })
}

async function mailView({ mailSource }: InstanceMailDeps, db: Queries): Promise<InstanceMail> {
  const { given } = mailSource
  const settings = await readInstanceSettings(db)
  const choice = given?.choice ?? chosenMail(settings)
  const { host, port, tls, user, from } = choice
  return {
    source: given !== null ? 'environment' : host === null ? 'none' : 'dashboard',
    variables: given?.variables ?? [],
    host,
    port,
    tls,
    user,
    from,
    password: passwordView(mailSource, settings, choice),
    ...(given === null
      ? await lastChange(db, settings, MAIL_SETTINGS)
      : { changedBy: null, changedAt: null }),
    queue: await readMailQueue(db),
  }
}

function passwordView(
  { given, instanceSecrets }: MailSource,
  settings: InstanceSettings,
  choice: MailChoice,
): InstanceMail['password'] {
  if (given !== null)
    return given.password === null ? null : { source: 'environment', setAt: null, isUsable: true }
  const stored = settings.get('mailPassword')
  if (stored === undefined) return null
  return {
    source: 'dashboard',
    setAt: stored.setAt.toISOString(),
    isUsable: openInstanceSecret(instanceSecrets, settings, 'mailPassword', passwordPlace(choice)) !== null,
  }
}
