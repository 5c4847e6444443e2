import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRow } from '../../../../../src/features/accounts/operations/organization.ts'
import { groupAuditRows } from './audit-lines.ts'

let rowCount = 0

function row(actor: string, part: Partial<AuditRow> = {}): AuditRow {
  rowCount += 1
  return {
    id: `row_${rowCount}`,
    at: '2026-11-01T00:00:00.000Z',
    actor,
    actorName: actor,
    action: 'member.signed_in',
    subject: actor,
    subjectName: actor,
    projectId: null,
    projectName: null,
    details: { by: 'password', address: '192.0.2.1' },
    ...part,
  }
}

test('consecutive sign-ins of one person are grouped into one line', () => {
  const rows = [row('ada'), row('ada'), row('ada'), row('ada', { action: 'member.invited' }), row('ada')]
  const lines = groupAuditRows(rows, new Set())
  assert.deepEqual(
    lines.map((line) => line.count),
    [3, 1, 1],
  )
  assert.equal(lines[0]?.row, rows[0], 'the newest stands for all')
})

test('sign-ins of other people, by other methods or from other addresses are separate lines', () => {
  const rows = [
    row('ada'),
    row('grace'),
    row('grace', { details: { by: 'passkey', address: '192.0.2.1' } }),
    row('grace', { details: { by: 'passkey', address: '192.0.2.2' } }),
  ]
  assert.equal(groupAuditRows(rows, new Set()).length, 4)
})

test('an expanded group shows each of its rows, and other groups stay collapsed', () => {
  const rows = [row('ada'), row('ada'), row('ada'), row('grace'), row('grace')]
  const lines = groupAuditRows(rows, new Set([rows[0]?.id ?? '']))
  assert.deepEqual(
    lines.map((line) => line.count),
    [3, 1, 1, 2],
  )
})
