/** Server settings made by operators on the dashboard, by name. Secrets are encrypted and never shown again. */
import { sql } from 'kysely'
import type { SecretBox } from '../../../base/secret-box.ts'
import type { Queries, Tx } from '../../../database/database.ts'

export interface InstanceSetting {
  value: string | null
  sealed: Buffer | null
  lastFour: string | null
  setBy: string
  setAt: Date
}

export type InstanceSettings = ReadonlyMap<string, InstanceSetting>

/** Minimum length of a secret whose last four characters are shown: they would reveal too much of a shorter one. */
const MIN_SHOWN_LENGTH = 12

export async function readInstanceSettings(db: Queries): Promise<InstanceSettings> {
  const rows = await db
    .selectFrom('instance_settings')
    .select(['name', 'value', 'sealed', 'last_four', 'set_by', 'set_at'])
    .execute()
  return new Map(
    rows.map(({ name, value, sealed, last_four: lastFour, set_by: setBy, set_at: setAt }) => [
      name,
      { value, sealed, lastFour, setBy, setAt },
    ]),
  )
}

/** Null removes a setting; settings that are not named stay unchanged. */
export async function writeInstanceSettings(
  tx: Tx,
  actor: string,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    if (value === null) await tx.deleteFrom('instance_settings').where('name', '=', name).execute()
    else await saveSetting(tx, { name, value, sealed: null, last_four: null, set_by: actor })
  }
}

/** Encrypts a secret, which can be decrypted only to send it to `secretDestination`. */
export async function sealInstanceSecret(
  tx: Tx,
  box: SecretBox,
  {
    actor,
    name,
    secretDestination,
    secret,
  }: { actor: string; name: string; secretDestination: string; secret: string },
): Promise<void> {
  const last_four = getSecretSuffix(secret)
  const sealed = box.seal(Buffer.from(secret), `${name} ${secretDestination}`)
  await saveSetting(tx, { name, value: null, sealed, last_four, set_by: actor })
}

export function getSecretSuffix(secret: string): string | null {
  return secret.length < MIN_SHOWN_LENGTH ? null : secret.slice(-4)
}

/** Returns null when there is no secret, or it was set for another destination. */
export function openInstanceSecret(
  box: SecretBox,
  settings: InstanceSettings,
  name: string,
  secretDestination: string | null,
): string | null {
  const sealed = settings.get(name)?.sealed
  return sealed && secretDestination !== null
    ? (box.open(sealed, `${name} ${secretDestination}`)?.toString() ?? null)
    : null
}

interface Row {
  name: string
  value: string | null
  sealed: Buffer | null
  last_four: string | null
  set_by: string
}

async function saveSetting(tx: Tx, row: Row): Promise<void> {
  const { name: _name, ...rest } = row
  await tx
    .insertInto('instance_settings')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ ...rest, set_at: sql<Date>`clock_timestamp()` }),
    )
    .execute()
}
