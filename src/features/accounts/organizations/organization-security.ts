/** An organization's security rules for its members: a second factor, and email addresses in its domains. */
import { AppError } from '../../../base/errors/errors.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { OrganizationSecurity, OrganizationSecurityBody } from '../operations/organization-security.ts'
import { findProvedSessions } from '../sign-in/session-proofs.ts'

export async function readOrganizationSecurity(
  db: Queries,
  organizationId: string,
): Promise<OrganizationSecurity> {
  const row = await db
    .selectFrom('organizations')
    .select(['second_factor_since', 'second_factor_days', 'second_factor_by_provider', 'mail_domains'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  const { second_factor_since: since, second_factor_days: days } = row
  return {
    secondFactor:
      since === null
        ? null
        : { since: since.toISOString(), days, providerCounts: row.second_factor_by_provider },
    mailDomains: row.mail_domains,
  }
}

/** The grace period starts when a second factor is first required. Throws AppError `own_factor_first`. */
export async function changeSecurity(
  tx: Tx,
  {
    organizationId,
    actor,
    secondFactor,
    mailDomains,
  }: OrganizationSecurityBody & { organizationId: string; actor: string },
): Promise<void> {
  const before = await readOrganizationSecurity(tx, organizationId)
  if (secondFactor) await requireOwnSecondFactor(tx, actor)
  const since = before.secondFactor === null ? new Date() : new Date(before.secondFactor.since)
  await tx
    .updateTable('organizations')
    .set({
      ...(secondFactor === undefined ? {} : { second_factor_since: secondFactor === null ? null : since }),
      ...(secondFactor
        ? {
            second_factor_days: secondFactor.days,
            second_factor_by_provider: secondFactor.providerCounts,
          }
        : {}),
      ...(mailDomains === undefined ? {} : { mail_domains: [...new Set(mailDomains)] }),
    })
    .where('id', '=', organizationId)
    .execute()
}

/**
 * Requires that users who make a second factor mandatory have used one, so that they do not lock themselves out. Throws
 * AppError `own_factor_first`.
 */
export async function requireOwnSecondFactor(tx: Tx, userId: string): Promise<void> {
  const sessions = await findProvedSessions(tx, userId)
  if (!sessions.some(({ secondFactor }) => secondFactor)) throw new AppError('own_factor_first')
}

/** Throws AppError `mail_domain_refused`. */
export async function requireMailDomain(db: Queries, organizationId: string, email: string): Promise<void> {
  if (!(await acceptsMailDomain(db, organizationId, email))) throw new AppError('mail_domain_refused')
}

export async function acceptsMailDomain(
  db: Queries,
  organizationId: string,
  email: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('mail_domains')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  const domains = row?.mail_domains ?? []
  return domains.length === 0 || domains.includes(emailDomain(email))
}

export function emailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
