/** The second-factor rule of the whole server, set by its operators. */
import type { Queries, Tx } from '../../../database/database.ts'
import { readInstanceSettings, writeInstanceSettings } from '../settings/instance-settings.ts'

export interface SecondFactorRule {
  since: Date
  /** Grace period in days, from when the rule starts or from when a person joins. */
  days: number
  /** Whether single sign-on counts as a second factor, because the provider requires one. */
  providerCounts: boolean
}

export const SECOND_FACTOR_SETTING = 'secondFactor'

export function readServerRule(value: string | null): SecondFactorRule | null {
  if (value === null) return null
  const { since, days, providerCounts } = JSON.parse(value) as Omit<SecondFactorRule, 'since'> & {
    since: string
  }
  return { since: new Date(since), days, providerCounts }
}

export async function findServerRule(db: Queries): Promise<SecondFactorRule | null> {
  return readServerRule((await readInstanceSettings(db)).get(SECOND_FACTOR_SETTING)?.value ?? null)
}

/** The grace period starts when the rule is first set: changing the number of days does not restart it. */
export async function writeServerRule(
  tx: Tx,
  actor: string,
  input: { days: number; providerCounts: boolean } | null,
): Promise<void> {
  const since = (await findServerRule(tx))?.since ?? new Date()
  const value = input === null ? null : JSON.stringify({ since, ...input })
  await writeInstanceSettings(tx, actor, { [SECOND_FACTOR_SETTING]: value })
}
