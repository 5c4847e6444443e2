/** Single sign-on of organizations: at most one provider each, with email domains that no other organization has. */
import { sql } from 'kysely'
import { ROLES, type Role } from '../../../base/api/roles.ts'
import type { SecretBox } from '../../../base/secret-box.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import { getSecretSuffix } from '../settings/instance-settings.ts'
import type { SingleSignOn } from '../sign-in/sso-provider.ts'
import { emailDomain } from './organization-security.ts'

export interface OrganizationProvider extends Omit<SingleSignOn, 'clientSecret'> {
  organizationName: string
  lastFour: string | null
  setAt: Date
  /** Null when it cannot be decrypted: it was encrypted with another server secret or for another issuer. */
  clientSecret: string | null
}

export async function listOrganizationProviders(
  db: Queries,
  box: SecretBox,
): Promise<OrganizationProvider[]> {
  const rows = await selectProviders(db).orderBy('organization.name').orderBy('organization_id').execute()
  return rows.map((row) => toProvider(row, box))
}

export async function findOrganizationProvider(
  db: Queries,
  box: SecretBox,
  lookup: { organizationId: string } | { email: string },
): Promise<OrganizationProvider | null> {
  const query = selectProviders(db)
  const row = await ('email' in lookup
    ? query.where(sql<boolean>`${emailDomain(lookup.email)} = ANY(domains)`)
    : query.where('organization_id', '=', lookup.organizationId)
  ).executeTakeFirst()
  return row === undefined ? null : toProvider(row, box)
}

export async function hasOrganizationProviders(db: Queries): Promise<boolean> {
  const row = await db
    .selectFrom('organization_providers')
    .select('organization_id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the domains that belong to another organization. Holds a lock until the transaction ends. */
export async function findTakenDomains(
  tx: Tx,
  organizationId: string,
  domains: readonly string[],
): Promise<string[]> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('organization_providers', 0))`.execute(tx)
  const rows = await tx
    .selectFrom('organization_providers')
    .select('domains')
    .where('organization_id', '<>', organizationId)
    .execute()
  const takenByOthers = new Set(rows.flatMap((row) => row.domains))
  return domains.filter((domain) => takenByOthers.has(domain))
}

type Choice = Omit<SingleSignOn, 'id' | 'organizationId'> & { organizationId: string }

/** Changing the issuer removes the links to accounts: a subject identifies a person only at its own issuer. */
export async function writeOrganizationProvider(tx: Tx, box: SecretBox, choice: Choice): Promise<void> {
  const { organizationId, issuer, clientSecret } = choice
  const before = await findOrganizationProvider(tx, box, { organizationId })
  if (before !== null && before.issuer !== issuer) await removeLinks(tx, organizationId)
  const isNewSecret = before?.clientSecret !== clientSecret || before.issuer !== issuer
  const row = {
    ...{
      issuer,
      client_id: choice.clientId,
      name: choice.name,
      domains: [...choice.domains],
      role: choice.role,
    },
    vouches_for_domains: choice.vouchesForDomains,
    asks_second_factor: choice.asksSecondFactor,
    sealed: box.seal(Buffer.from(clientSecret), sealingContext(organizationId, issuer)),
    last_four: getSecretSuffix(clientSecret),
    ...(isNewSecret ? { secret_set_at: sql<Date>`now()` } : {}),
  }
  await tx
    .insertInto('organization_providers')
    .values({ organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute()
}

export async function removeOrganizationProvider(tx: Tx, organizationId: string): Promise<void> {
  await tx.deleteFrom('organization_providers').where('organization_id', '=', organizationId).execute()
  await removeLinks(tx, organizationId)
}

async function removeLinks(tx: Tx, organizationId: string): Promise<void> {
  await tx.deleteFrom('credentials').where('provider_id', '=', organizationId).execute()
}

function sealingContext(organizationId: string, issuer: string): string {
  return `provider of ${organizationId} ${issuer}`
}

function selectProviders(db: Queries) {
  return db
    .selectFrom('organization_providers')
    .innerJoin('organizations as organization', 'organization.id', 'organization_id')
    .selectAll('organization_providers')
    .select('organization.name as organization_name')
}

type Row = Awaited<ReturnType<ReturnType<typeof selectProviders>['executeTakeFirstOrThrow']>>

function toProvider(row: Row, box: SecretBox): OrganizationProvider {
  const { organization_id: organizationId, issuer } = row
  return {
    id: organizationId,
    organizationId,
    organizationName: row.organization_name,
    issuer,
    clientId: row.client_id,
    clientSecret: box.open(row.sealed, sealingContext(organizationId, issuer))?.toString() ?? null,
    name: row.name,
    domains: row.domains,
    role: ROLES.find((role): role is Role => role === row.role) ?? 'viewer',
    vouchesForDomains: row.vouches_for_domains,
    asksSecondFactor: row.asks_second_factor,
    lastFour: row.last_four,
    setAt: row.secret_set_at,
  }
}
