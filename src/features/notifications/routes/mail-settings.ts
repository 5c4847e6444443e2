/** Routes of the mail server settings for operators, and of password links by mail. */

import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../../base/errors/fault.ts'
import { createId } from '../../../base/ids.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { findUser, normalizeEmail } from '../../accounts/people/users.ts'
import { createConcurrencyLimit } from '../../accounts/settings/concurrency-limit.ts'
import {
  type InstanceSettings,
  openInstanceSecret,
  readInstanceSettings,
  sealInstanceSecret,
  writeInstanceSettings,
} from '../../accounts/settings/instance-settings.ts'
import { findLastChange } from '../../accounts/settings/model-settings.ts'
import { mailPasswordLink } from '../mail/links.ts'
import { isMailHost, type MailChoice, sendsPasswordUnencrypted } from '../mail/mail-choice.ts'
import { readMailQueue } from '../mail/mail-queue.ts'
import {
  createMailServer,
  isMailEnabled,
  type MailSource,
  passwordDestination,
  readMailChoice,
} from '../mail/mail-setup.ts'
import { parseMailbox } from '../mail/mailbox.ts'
import { type MailFailure, sendBySmtp } from '../mail/smtp.ts'
import { createTestMail } from '../mail/test-mail.ts'
import {
  type InstanceMail,
  type InstanceMailBody,
  type MAIL_OPERATIONS,
  MAIL_SETTINGS,
} from '../operations/mail.ts'

interface InstanceMailDeps {
  mailSource: MailSource
  publicUrl: () => string
}

/** Limits tests per process, because each holds a database connection while waiting for its server. */
const MAX_CONCURRENT_TESTS = 2
const TEST_TIMEOUT_MS = 25_000

export function instanceMailHandlers(deps: InstanceMailDeps): Handlers<typeof MAIL_OPERATIONS> {
  const throughGate = createConcurrencyLimit(MAX_CONCURRENT_TESTS)
  return {
    async requestPassword({ tx, body }) {
      await mailPasswordLink(tx, deps.mailSource, normalizeEmail(body.email))
      return { body: { isMailed: await isMailEnabled(deps.mailSource, tx) } }
    },
    getInstanceMail: async ({ db }) => ({ body: await mailView(deps, db) }),
    async updateInstanceMail({ tx, caller: { id: actor }, body }) {
      if (deps.mailSource.environmentMail !== null) throw new AppError('set_by_environment')
      const { choice, storedPassword } = await resolveMailChoice(deps, tx, body)
      const newPassword = body.password ?? null
      await storeChoice(deps, tx, { actor, choice, newPassword, keepsPassword: storedPassword !== null })
      const password = newPassword !== null ? 'set' : storedPassword === null ? 'none' : 'kept'
      return { body: await mailView(deps, tx), audit: { subject: 'mail', details: { ...choice, password } } }
    },
    async testInstanceMail({ tx, caller, body }) {
      const { choice, storedPassword } = await resolveMailChoice(deps, tx, body)
      const server = createMailServer(deps.mailSource, choice, body.password ?? storedPassword)
      const user = await findUser(tx, caller.id)
      if (server === null || user === null) {
        assertNoFaults([faultAt('/host', 'no_mail_server_to_test')])
        throw new AppError('invalid_request')
      }
      const to = { name: user.name, address: user.email }
      const started = performance.now()
      const outcome = await throughGate(() =>
        sendBySmtp(
          server,
          createId('mail'),
          { to, ...createTestMail(deps.publicUrl()) },
          { totalMs: TEST_TIMEOUT_MS },
        ),
      )
      const details = { host: server.host, port: server.port, tls: server.tls, sent: outcome.kind === 'sent' }
      const trial = {
        milliseconds: Math.round(performance.now() - started),
        to: user.email,
        said: outcome.kind === 'sent' ? outcome.reply : null,
        failure: outcome.kind === 'sent' ? null : failureOf(outcome),
      }
      return { body: trial, audit: { subject: 'mail', details } }
    },
  }
}

function failureOf({ code, sentence, remedy }: MailFailure) {
  return { code, sentence, remedy }
}

/** Validates the settings. Returns the stored password if it is unchanged. Throws `invalid_request`. */
async function resolveMailChoice(
  { mailSource: { environmentMail: given, instanceSecrets } }: InstanceMailDeps,
  db: Queries,
  { password, ...choice }: InstanceMailBody,
): Promise<{ choice: MailChoice; storedPassword: string | null }> {
  if (given !== null) throw new AppError('set_by_environment')
  const faults = choiceFaults(choice)
  if (typeof password === 'string' && /\p{Cc}/u.test(password)) faults.push(faultAt('/password', 'one_line'))
  if (typeof password === 'string' && choice.user === null) faults.push(faultAt('/user', 'user_of_password'))
  assertNoFaults(faults)
  const settings = await readInstanceSettings(db)
  const storedPassword =
    password === undefined
      ? openInstanceSecret(instanceSecrets, settings, 'mailPassword', passwordDestination(choice))
      : null
  if (choice.user !== null && !password && storedPassword === null)
    assertNoFaults([
      faultAt(
        '/password',
        settings.has('mailPassword') && password === undefined ? 'password_again' : 'password_of_user',
      ),
    ])
  return { choice, storedPassword }
}

function choiceFaults(choice: MailChoice): Fault[] {
  const { host, user, from } = choice
  if (host === null)
    return [
      ...(user === null ? [] : [faultAt('/user', 'without_server')]),
      ...(from === null ? [] : [faultAt('/from', 'without_server')]),
    ]
  const faults: Fault[] = []
  if (!isMailHost(host)) faults.push(faultAt('/host', 'mail_server'))
  if (user !== null && /\p{Cc}/u.test(user)) faults.push(faultAt('/user', 'one_line'))
  if (from === null || parseMailbox(from) === null) faults.push(faultAt('/from', 'mail_sender'))
  if (sendsPasswordUnencrypted(choice)) faults.push(faultAt('/tls', 'unencrypted_password'))
  return faults
}

interface ChoiceToStore {
  actor: string
  choice: MailChoice
  newPassword: string | null
  keepsPassword: boolean
}

async function storeChoice(
  { mailSource: { instanceSecrets } }: InstanceMailDeps,
  tx: Tx,
  { actor, choice, newPassword, keepsPassword }: ChoiceToStore,
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
  const destination = passwordDestination(choice)
  if (newPassword === null || destination === null) return
  await sealInstanceSecret(tx, instanceSecrets, {
    actor,
    name: 'mailPassword',
    secretDestination: destination,
    secret: newPassword,
  })
}

async function mailView({ mailSource }: InstanceMailDeps, db: Queries): Promise<InstanceMail> {
  const { environmentMail: given } = mailSource
  const settings = await readInstanceSettings(db)
  const choice = given?.choice ?? readMailChoice(settings)
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
      ? await findLastChange(db, settings, MAIL_SETTINGS)
      : { changedBy: null, changedAt: null }),
    queue: await readMailQueue(db),
  }
}

function passwordView(
  { environmentMail: given, instanceSecrets }: MailSource,
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
    isUsable:
      openInstanceSecret(instanceSecrets, settings, 'mailPassword', passwordDestination(choice)) !== null,
  }
}
