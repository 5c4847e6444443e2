/** Tokens of an organization for the hosts of its repositories: sealed at rest, and opened only to be sent there. */
import { sql } from 'kysely'
import type { SecretBox } from '../base/secret-box.ts'
import type { Queries } from '../database/database.ts'

export interface GitCredentialDeps {
  gitCredentials: SecretBox
}

const USED_EVERY_SECONDS = 60

/** By prefix. One that was sealed under another secret is left out: nobody can send it. */
export async function openGitTokens(
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
    const opened = gitCredentials.open(text, placeOf(organizationId, prefix))
    return [prefix, opened?.toString()] as const
  })
  return Object.fromEntries(tokens.filter((pair): pair is readonly [string, string] => pair[1] !== undefined))
}

export async function noteGitTokenUse(db: Queries, organizationId: string, prefix: string): Promise<void> {
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
          sql<Date>`clock_timestamp() - make_interval(secs => ${USED_EVERY_SECONDS})`,
        ),
      ]),
    )
    .execute()
}

/** A row that somebody moves to another organization or host in the database does not open there. */
function placeOf(organizationId: string, prefix: string): string {
  return `${organizationId} ${prefix}`
}
