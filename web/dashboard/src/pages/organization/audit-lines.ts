/** Collapses consecutive sign-ins of the same person with the same method into one expandable line. */

import type { AuditRow } from '../../../../../src/features/accounts/operations/organization.ts'

export interface AuditLine {
  /** Newest row of a run of similar sign-ins. */
  row: AuditRow
  /** Number of rows in the run that begins here, whether or not it is expanded. */
  count: number
}

/** `unfolded` contains the ids of the newest rows of the expanded runs. */
export function groupAuditRows(rows: readonly AuditRow[], unfolded: ReadonlySet<string>): AuditLine[] {
  const lines: AuditLine[] = []
  let first: AuditLine | undefined
  for (const row of rows) {
    if (first !== undefined && isSameSignIn(first.row, row)) {
      first.count += 1
      if (unfolded.has(first.row.id)) lines.push({ row, count: 1 })
    } else {
      first = { row, count: 1 }
      lines.push(first)
    }
  }
  return lines
}

function isSameSignIn(one: AuditRow, other: AuditRow): boolean {
  if (one.action !== 'member.signed_in' || other.action !== one.action || other.actor !== one.actor)
    return false
  return signInMethod(one) === signInMethod(other)
}

function signInMethod({ details }: AuditRow): string {
  const { by, address } = details as { by?: string; address?: string }
  return `${by} ${address}`
}
