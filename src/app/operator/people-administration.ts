/** Administration of people from the command line: invitation and password links. */

import type { Role } from '../../base/api/roles.ts'
import { AppError } from '../../base/errors/errors.ts'
import { createSecretBox } from '../../base/secret-box.ts'
import type { CreatedInvitation, Member } from '../../features/accounts/operations/people.ts'
import { listMembers } from '../../features/accounts/people/members.ts'
import { dropOperator, listOperators, makeOperator } from '../../features/accounts/people/operators.ts'
import { createPasswordToken, recordForPerson } from '../../features/accounts/people/setup.ts'
import { findUserByEmail, removeSecondFactor } from '../../features/accounts/people/users.ts'
import { setPasswordSignIn } from '../../features/accounts/sign-in/sign-in-settings.ts'
import { inviteByMail } from '../../features/notifications/mail/links.ts'
import type { MailSource } from '../../features/notifications/mail/mail-setup.ts'
import type { Config, Secrets } from '../config/config.ts'
import { readSecret } from '../data-folder.ts'
import type { DatabaseContext } from '../database-context.ts'
import { isInstallationSecret } from '../installation.ts'
import { createMailSource } from '../live/mail-source.ts'
import { ACTOR, type Administration, AdministrationError } from './administration.ts'

/** Returns a one-time invitation link. If mail is configured, also sends it by mail, as the dashboard does. */
export async function inviteMember(
  context: DatabaseContext,
  secrets: Secrets,
  invitation: { organizationId: string; email: string; role: Role },
): Promise<CreatedInvitation> {
  const { database, config } = context
  const { organizationId, email, role } = invitation
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new AdministrationError([`${email} is not an e-mail address`])
  const changer = { id: ACTOR, organizationId, role: null }
  const deps = {
    mailSource: await openMailSource(context, secrets),
    publicUrl: () => resolvePublicUrl(config),
  }
  return await database
    .transaction((tx) => inviteByMail(tx, deps, { email, role, changer }))
    .catch(asAdministrationError)
}

/** Returns the mail settings, or null if the nodes that send mail could not decrypt what is queued here. */
async function openMailSource(
  { config, database, folder }: DatabaseContext,
  secrets: Secrets,
): Promise<MailSource | null> {
  const secret = secrets.secret ?? (await readSecret(folder))
  if (secret === null || !(await isInstallationSecret(database, secret))) return null
  const instanceSecrets = createSecretBox(secret, 'instance settings')
  return await createMailSource(config, secrets, { secret, instanceSecrets })
}

export function listOrganizationMembers(
  { database }: Administration,
  organizationId: string,
): Promise<Member[]> {
  return listMembers(database.queries, organizationId)
}

/** Creates a link for setting a new password. */
export async function resetMemberPassword(
  { database, config }: Administration,
  { email, dropsSecondFactor }: { email: string; dropsSecondFactor: boolean },
): Promise<string> {
  return database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (user === null) throw new AdministrationError([`Nobody has the e-mail address ${email}`])
    if (dropsSecondFactor) await removeSecondFactor(tx, user.id)
    const details = { email: user.email, dropsSecondFactor }
    await recordForPerson(tx, user.id, { action: 'member.password_link_made', details, actor: ACTOR })
    return `${resolvePublicUrl(config)}/reset-password#token=${await createPasswordToken(tx, user.id)}`
  })
}

/** Restores access to a server that nobody can sign in to, by enabling password sign-in again. */
export async function openPasswordSignIn({ database }: Pick<Administration, 'database'>): Promise<void> {
  await database.transaction(async (tx) => {
    await setPasswordSignIn(tx, ACTOR, true)
    for (const { id } of await listOperators(tx)) {
      const details = { passwords: true }
      await recordForPerson(tx, id, { action: 'instance.sign_in_changed', details, actor: ACTOR })
    }
  })
}

/** Returns false if the person already is an operator. */
export function addOperator(context: Administration, email: string): Promise<boolean> {
  return changeOperator(context, email, makeOperator)
}

/** Returns false if the person is not an operator. */
export function removeOperator(context: Administration, email: string): Promise<boolean> {
  return changeOperator(context, email, dropOperator)
}

export function listAllOperators({ database }: Administration) {
  return listOperators(database.queries)
}

function changeOperator(
  { database }: Administration,
  email: string,
  change: typeof makeOperator,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (user === null) throw new AdministrationError([`Nobody has the e-mail address ${email}`])
    return await change(tx, user, ACTOR)
  })
}

function asAdministrationError(error: unknown): never {
  throw error instanceof AppError ? new AdministrationError([error.message]) : error
}

/** Returns the URL of the server. A node's port is unknown here unless OCTAVO_PUBLIC_URL or PORT states it. */
function resolvePublicUrl({ publicUrl, port }: Config): string {
  if (publicUrl === null && port === 0)
    throw new AdministrationError([
      'A link names the address of the server: start it first, or set OCTAVO_PUBLIC_URL',
    ])
  return publicUrl ?? `http://localhost:${port}`
}
