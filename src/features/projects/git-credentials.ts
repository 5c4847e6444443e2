/** Tokens of an organization for its git hosts, stored encrypted and never returned. */
import { sql } from 'kysely'
import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { createFault, type Fault } from '../../base/errors/fault.ts'
import { createId } from '../../base/ids.ts'
import type { SecretBox } from '../../base/secret-box.ts'
import { recordAudit } from '../../database/audit.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { AuditAction } from '../audit-actions.ts'
import { type GitLocation, gitPrefixText, parseGitPrefix } from './operations/git-prefix.ts'

export interface GitCredential {
  id: string
  prefix: string
  lastFour: string
  createdBy: string
  createdAt: Date
  replacedAt: Date | null
  /** Accurate to the minute. */
  lastUsedAt: Date | null
}

export interface GitCredentialDeps {
  gitCredentials: SecretBox
}

interface CredentialCaller {
  organizationId: string
  actor: string
}

export const MAX_GIT_CREDENTIALS = 100
const USE_UPDATE_INTERVAL_SECONDS = 60
const COLUMNS = [
  'id',
  'prefix',
  'last_four',
  'created_by',
  'created_at',
  'replaced_at',
  'last_used_at',
] as const

export async function listGitCredentials(db: Queries, organizationId: string): Promise<GitCredential[]> {
  const rows = await db
    .selectFrom('git_credentials')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .orderBy('prefix')
    .execute()
  return rows.map(toCredential)
}

/** Throws AppError `invalid_request`. */
export async function createGitCredential(
  deps: GitCredentialDeps,
  tx: Tx,
  { organizationId, actor, prefix, token }: CredentialCaller & { prefix: string; token: string },
): Promise<GitCredential> {
  const text = gitPrefixText(checkGitCredential({ prefix, token }))
  const details: Fault[] = []
  const known = await lockPrefixes(tx, organizationId)
  if (known.includes(text))
    details.push({ ...createFault('token_exists', { prefix: text }), field: '/prefix' })
  if (known.length >= MAX_GIT_CREDENTIALS)
    details.push(createFault('too_many_tokens', { max: MAX_GIT_CREDENTIALS }))
  assertNoFaults(details)
  const row = await tx
    .insertInto('git_credentials')
    .values({
      id: createId('gitc'),
      organization_id: organizationId,
      prefix: text,
      ...sealed(deps, organizationId, text, token),
      created_by: actor,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return await recordChange(tx, { organizationId, actor }, 'git_credential.created', row)
}

/** Returns the host and path for which the token is valid. Throws AppError `invalid_request`. */
export function checkGitCredential({ prefix, token }: { prefix: string; token: string }): GitLocation {
  const location = parseGitPrefix(prefix)
  const details = tokenFaults(token)
  if (location === null) details.push({ ...createFault('token_prefix', { prefix }), field: '/prefix' })
  if (location === null || details.length > 0) throw new AppError('invalid_request', { details })
  return location
}

/** Replaces the token, but not its prefix. Throws AppError `not_found`, `invalid_request`. */
export async function replaceGitCredential(
  deps: GitCredentialDeps,
  tx: Tx,
  { organizationId, actor, credentialId, token }: CredentialCaller & { credentialId: string; token: string },
): Promise<GitCredential> {
  assertNoFaults(tokenFaults(token))
  const found = await tx
    .selectFrom('git_credentials')
    .select('prefix')
    .where('id', '=', credentialId)
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw new AppError('not_found')
  const row = await tx
    .updateTable('git_credentials')
    .set({
      ...sealed(deps, organizationId, found.prefix, token),
      replaced_at: sql<Date>`clock_timestamp()`,
      last_used_at: null,
    })
    .where('id', '=', credentialId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return await recordChange(tx, { organizationId, actor }, 'git_credential.replaced', row)
}

export async function deleteGitCredential(
  tx: Tx,
  { organizationId, actor, credentialId }: CredentialCaller & { credentialId: string },
): Promise<GitCredential> {
  const row = await tx
    .deleteFrom('git_credentials')
    .where('id', '=', credentialId)
    .where('organization_id', '=', organizationId)
    .returning(COLUMNS)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  return await recordChange(tx, { organizationId, actor }, 'git_credential.deleted', row)
}

/** Maps prefixes to tokens, except those encrypted with another secret, which cannot be decrypted. */
export async function decryptGitTokens(
  { gitCredentials }: GitCredentialDeps,
  db: Queries,
  organizationId: string,
): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('git_credentials')
    .select(['prefix', 'sealed'])
    .where('organization_id', '=', organizationId)
    .execute()
  const tokens = rows.map(({ prefix, sealed: text }) => {
    const opened = gitCredentials.open(text, sealContext(organizationId, prefix))
    return [prefix, opened?.toString()] as const
  })
  return Object.fromEntries(tokens.filter((pair): pair is readonly [string, string] => pair[1] !== undefined))
}

export async function recordGitTokenUse(db: Queries, organizationId: string, prefix: string): Promise<void> {
  await db
    .updateTable('git_credentials')
    .set({ last_used_at: sql<Date>`clock_timestamp()` })
    .where('organization_id', '=', organizationId)
    .where('prefix', '=', prefix)
    .where((where) =>
      where.or([
        where('last_used_at', 'is', null),
        where(
          'last_used_at',
          '<',
          sql<Date>`clock_timestamp() - make_interval(secs => ${USE_UPDATE_INTERVAL_SECONDS})`,
        ),
      ]),
    )
    .execute()
}

/** Locks the organization, so that the second of two concurrent creations finds the prefix of the first. */
async function lockPrefixes(tx: Tx, organizationId: string): Promise<string[]> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute()
  const rows = await tx
    .selectFrom('git_credentials')
    .select('prefix')
    .where('organization_id', '=', organizationId)
    .execute()
  return rows.map(({ prefix }) => prefix)
}

function tokenFaults(token: string): Fault[] {
  return /^[\x21-\x7e]{8,4000}$/.test(token)
    ? []
    : [{ ...createFault('token', { min: 8, max: 4000 }), field: '/token' }]
}

function sealed(
  { gitCredentials }: GitCredentialDeps,
  organizationId: string,
  prefix: string,
  token: string,
) {
  return {
    sealed: gitCredentials.seal(Buffer.from(token), sealContext(organizationId, prefix)),
    last_four: token.slice(-4),
  }
}

/** Binds the encrypted token to its organization and host: a copy in another row cannot be decrypted. */
function sealContext(organizationId: string, prefix: string): string {
  return `${organizationId} ${prefix}`
}

type Row = Parameters<typeof toCredential>[0]

async function recordChange(
  tx: Tx,
  caller: CredentialCaller,
  action: AuditAction,
  row: Row,
): Promise<GitCredential> {
  const { id: subject, prefix, last_four: lastFour } = row
  await recordAudit(tx, { ...caller, action, subject, details: { prefix, lastFour } })
  return toCredential(row)
}

function toCredential(row: {
  id: string
  prefix: string
  last_four: string
  created_by: string
  created_at: Date
  replaced_at: Date | null
  last_used_at: Date | null
}): GitCredential {
  return {
    id: row.id,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdBy: row.created_by,
    createdAt: row.created_at,
    replacedAt: row.replaced_at,
    lastUsedAt: row.last_used_at,
  }
}
