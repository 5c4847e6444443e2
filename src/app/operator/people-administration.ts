/** What the command line may do about people: links that somebody hands over. */

import type { Role } from '../../base/api/roles.ts'
import { AppError } from '../../base/errors/errors.ts'
import { createSecretBox } from '../../base/secret-box.ts'
import type { CreatedInvitation, Member } from '../../features/accounts/operations/people.ts'
import { listMembers } from '../../features/accounts/people/members.ts'
import { dropOperator, listOperators, makeOperator } from '../../features/accounts/people/operators.ts'
import { createPasswordToken, recordForPerson } from '../../features/accounts/people/setup.ts'
import { dropSecondFactor, findUserByEmail } from '../../features/accounts/people/users.ts'
import { openPasswords } from '../../features/accounts/sign-in/sign-in-settings.ts'
import { invite } from '../../features/notifications/mail/links.ts'
import type { MailSource } from '../../features/notifications/mail/mail-setup.ts'
import type { Config, Secrets } from '../config/config.ts'
import { readSecret } from '../data-folder.ts'
import type { DatabaseContext } from '../database-context.ts'
import { isSecretOfNodes } from '../installation.ts'
import { createMailSource } from '../live/mail-source.ts'
import { ACTOR, type Administration, AdministrationError } from './administration.ts'

/** The link is for the person, this once; where mail is set up it goes out by mail too, as from the dashboard. */
export async function inviteMember(
  context: DatabaseContext,
  secrets: Secrets,
  wanted: { organizationId: string; email: string; role: Role },
): Promise<CreatedInvitation> {
  const { database, config } = context
  const { organizationId, email, role } = wanted
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new AdministrationError([`${email} is not an e-mail address`])
  const changer = { id: ACTOR, organizationId, role: null }
  const deps = { mailSource: await mailSourceOf(context, secrets), publicUrl: () => addressOf(config) }
  return await database
    .transaction((tx) => invite(tx, deps, { email, role, changer }))
    .catch(asAdministrationError)
}

/** Null where what waits could not be opened by the nodes that send it. */
async function mailSourceOf(
  { config, database, folder }: DatabaseContext,
  secrets: Secrets,
): Promise<MailSource | null> {
  const secret = secrets.secret ?? (await readSecret(folder))
  if (secret === null || !(await isSecretOfNodes(database, secret))) return null
  const instanceSecrets = createSecretBox(secret, 'instance settings')
  return await createMailSource(config, secrets, { secret, instanceSecrets })
}

export function membersOf({ database }: Administration, organizationId: string): Promise<Member[]> {
  return listMembers(database.queries, organizationId)
}

/** A link by which the person sets a new password. */
export async function resetMemberPassword(
  { database, config }: Administration,
  { email, dropsSecondFactor }: { email: string; dropsSecondFactor: boolean },
): Promise<string> {
  return database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (user === null) throw new AdministrationError([`Nobody has the e-mail address ${email}`])
    if (dropsSecondFactor) await dropSecondFactor(tx, user.id)
    const details = { email: user.email, dropsSecondFactor }
    await recordForPerson(tx, user.id, { action: 'member.password_link_made', details, actor: ACTOR })
    return `${addressOf(config)}/reset-password#token=${await createPasswordToken(tx, user.id)}`
  })
}

/** The way back for who has locked everybody out: passwords open the server again. */
export async function openPasswordSignIn({ database }: Pick<Administration, 'database'>): Promise<void> {
  await database.transaction(async (tx) => {
    await openPasswords(tx, ACTOR, true)
    for (const { id } of await listOperators(tx)) {
      const details = { passwords: true }
      await recordForPerson(tx, id, { action: 'instance.sign_in_changed', details, actor: ACTOR })
    }
  })
}

/** False when the person is one already. */
export function addOperator(context: Administration, email: string): Promise<boolean> {
  return changeOperator(context, email, makeOperator)
}

/** False when the person is none. */
export function removeOperator(context: Administration, email: string): Promise<boolean> {
  return changeOperator(context, email, dropOperator)
}

export function operatorsOf({ database }: Administration) {
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

/** The port of a running node is not known here: with a port of one's own, OCTAVO_PUBLIC_URL or PORT says it. */
function addressOf({ publicUrl, port }: Config): string {
  if (publicUrl === null && port === 0)
    throw new AdministrationError([
      'A link names the address of the server: start it first, or set OCTAVO_PUBLIC_URL',
    ])
  return publicUrl ?? `http://localhost:${port}`
}
