/** Sign-ins that follow each other, of one person in one way, are one line until somebody unfolds them. */

import type { AuditRow } from '../../../../../src/contract/dashboard-organization.ts'

export interface AuditLine {
  /** The newest of those that it stands for. */
  row: AuditRow
  count: number
}

/** `unfolded` names runs by their newest row. */
export function auditLines(rows: readonly AuditRow[], unfolded: ReadonlySet<string>): AuditLine[] {
  const lines: AuditLine[] = []
  let first: AuditRow | undefined
  for (const row of rows) {
    const isMore = first !== undefined && isSameSignIn(first, row)
    if (!isMore) first = row
    const line = lines.at(-1)
    if (isMore && line !== undefined && !unfolded.has(first?.id ?? '')) line.count += 1
    else lines.push({ row, count: 1 })
  }
  return lines
}

function isSameSignIn(one: AuditRow, other: AuditRow): boolean {
  if (one.action !== 'member.signed_in' || other.action !== one.action || other.actor !== one.actor)
    return false
  return wayOf(one) === wayOf(other)
}

function wayOf({ details }: AuditRow): string {
  const { by, address } = details as { by?: string; address?: string }
  return `${by} ${address}`
}
