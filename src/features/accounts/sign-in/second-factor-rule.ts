/** Whether the whole server asks for a second factor, as its operators have chosen. */
import type { Queries, Tx } from '../../../database/database.ts'
import { readInstanceSettings, writeInstanceSettings } from '../settings/instance-settings.ts'

export interface SecondFactorRule {
  since: Date
  /** From then, and from when people join, they may do without for so long. */
  days: number
  /** Who comes by the provider of single sign-on has shown a second factor there. */
  providerCounts: boolean
}

/** By its name in the table of settings. */
export const SERVER_RULE = 'secondFactor'

export function readServerRule(value: string | null): SecondFactorRule | null {
  if (value === null) return null
  const { since, days, providerCounts } = JSON.parse(value) as Omit<SecondFactorRule, 'since'> & {
    since: string
  }
  return { since: new Date(since), days, providerCounts }
}

export async function findServerRule(db: Queries): Promise<SecondFactorRule | null> {
  return readServerRule((await readInstanceSettings(db)).get(SERVER_RULE)?.value ?? null)
}

/** The time runs from when it is first asked for: another number of days does not begin anew. */
export async function writeServerRule(
  tx: Tx,
  actor: string,
  wanted: { days: number; providerCounts: boolean } | null,
): Promise<void> {
  const since = (await findServerRule(tx))?.since ?? new Date()
  const value = wanted === null ? null : JSON.stringify({ since, ...wanted })
  await writeInstanceSettings(tx, actor, { [SERVER_RULE]: value })
}
