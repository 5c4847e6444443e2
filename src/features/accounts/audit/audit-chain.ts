/** Verifies an organization's audit log, a hash chain, from start to head, and prunes old rows. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { recordAudit } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'

/** A row of the chain. A copy stored elsewhere reveals whether earlier rows have been rewritten. */
export interface AuditAnchor {
  number: number
  /** Hexadecimal. */
  hash: string
}

export interface AuditVerdict {
  rows: number
  /** Number of the last row removed by retention; 0 when none was. */
  checkpoint: number
  head: AuditAnchor | null
  /** One message per fault, at most 100. */
  faults: string[]
}

const BATCH = 1000
const MAX_FAULTS = 100

interface ChainedRow {
  number: number
  id: string
  hash: Buffer
  /** Values that the hash covers, in order. */
  parts: string[]
}

/** Verifies the chain against one snapshot, so that concurrent writes do not affect the result. */
export async function verifyAudit(
  db: Queries,
  organizationId: string,
  anchor: AuditAnchor | null = null,
): Promise<AuditVerdict> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => verifyChain(tx, organizationId, anchor))
}

async function verifyChain(
  tx: Tx,
  organizationId: string,
  anchor: AuditAnchor | null,
): Promise<AuditVerdict> {
  const faults = await findUnchainedRows(tx, organizationId)
  const chain = await findChain(tx, organizationId)
  if (chain === undefined) {
    if (anchor !== null) faults.push('There are no rows, so all rows before the anchor are missing.')
    return { rows: 0, checkpoint: 0, head: null, faults }
  }
  let number = chain.checkpoint_number
  let before = chain.checkpoint_hash
  let rows = 0
  let anchored = anchor === null || anchor.number !== number ? null : before
  for (;;) {
    const batch = await readRows(tx, organizationId, number)
    for (const row of batch) {
      if (row.number !== number + 1) faults.push(describeMissingRows(number + 1, row.number - 1))
      // After a gap the previous hash is unknown: verification continues from this row.
      else if (!computeRowHash(before, row.parts).equals(row.hash))
        faults.push(`Row ${row.number} (${row.id}) or the one before it was changed.`)
      if (row.number === anchor?.number) anchored = row.hash
      number = row.number
      before = row.hash
      rows++
    }
    if (batch.length < BATCH) break
  }
  if (number < chain.number) faults.push(describeMissingRows(number + 1, chain.number))
  else if (number > chain.number) faults.push(`The head of the chain was reset to row ${chain.number}.`)
  else if (!before.equals(chain.hash)) faults.push(`The head of the chain is not the hash of row ${number}.`)
  if (anchor !== null) faults.push(...checkAnchor(anchor, anchored, chain.checkpoint_number))
  return {
    rows,
    checkpoint: chain.checkpoint_number,
    head: { number: chain.number, hash: chain.hash.toString('hex') },
    faults: faults.slice(0, MAX_FAULTS),
  }
}

function checkAnchor(anchor: AuditAnchor, found: Buffer | null, checkpoint: number): string[] {
  if (found?.toString('hex') === anchor.hash) return []
  if (found !== null) return [`Row ${anchor.number} does not match the anchor: the chain was rewritten.`]
  if (anchor.number < checkpoint)
    return [
      `The anchor is row ${anchor.number}, but rows up to ${checkpoint} were pruned. Use a newer anchor.`,
    ]
  return [`Row ${anchor.number} of the anchor is missing: the end of the chain was removed.`]
}

function describeMissingRows(from: number, to: number): string {
  return from === to ? `Row ${from} is missing.` : `Rows ${from} to ${to} are missing.`
}

/** Finds rows outside the chain, written while its trigger was disabled. */
async function findUnchainedRows(tx: Tx, organizationId: string): Promise<string[]> {
  const unchained = await tx
    .selectFrom('audit_rows')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where((where) => where.or([where('number', 'is', null), where('hash', 'is', null)]))
    .orderBy('id')
    .limit(MAX_FAULTS)
    .execute()
  return unchained.map(({ id }) => `The row ${id} is not in the chain.`)
}

function findChain(tx: Tx, organizationId: string) {
  return tx
    .selectFrom('audit_chains')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

async function readRows(tx: Tx, organizationId: string, after: number): Promise<ChainedRow[]> {
  const rows = await tx
    .selectFrom('audit_rows')
    .select(['number', 'id', 'actor', 'action', 'subject', 'at', 'hash'])
    .select(sql<string>`details::text`.as('details'))
    .where('organization_id', '=', organizationId)
    .where('number', '>', after)
    .where('hash', 'is not', null)
    .orderBy('number')
    .limit(BATCH)
    .execute()
  return rows.map((row) => {
    const number = row.number as number
    const { id, actor, action, subject, details, at } = row
    const parts = [String(number), id, organizationId, actor, action, subject, details, String(at.getTime())]
    return { number, id, hash: row.hash as Buffer, parts }
  })
}

/** Computes the same hash as the database function `audit_row_hash`. */
function computeRowHash(before: Buffer, parts: readonly string[]): Buffer {
  const hash = createHash('sha256').update(before)
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`)
  return hash.digest()
}

/**
 * Removes the oldest rows, up to the first row that is not older than `before`, and returns their number. The chain
 * then starts at the first remaining row, and the log records the removal.
 */
export async function pruneAudit(
  tx: Tx,
  { organizationId, before, actor }: { organizationId: string; before: Date; actor: string },
): Promise<number> {
  const chain = await tx
    .selectFrom('audit_chains')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (chain === undefined) return 0
  const firstRemaining = await tx
    .selectFrom('audit_rows')
    .select('number')
    .where('organization_id', '=', organizationId)
    .where('number', 'is not', null)
    .where('at', '>=', before)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  const last = firstRemaining === undefined ? chain.number : (firstRemaining.number as number) - 1
  if (last <= chain.checkpoint_number) return 0
  const checkpoint = await tx
    .selectFrom('audit_rows')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('number', '=', last)
    .executeTakeFirstOrThrow()
  const { numDeletedRows } = await tx
    .deleteFrom('audit_rows')
    .where('organization_id', '=', organizationId)
    .where('number', '<=', last)
    .executeTakeFirst()
  await tx
    .updateTable('audit_chains')
    .set({ checkpoint_number: last, checkpoint_hash: checkpoint.hash as Buffer })
    .where('organization_id', '=', organizationId)
    .execute()
  const rows = Number(numDeletedRows)
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'audit.pruned',
    subject: organizationId,
    details: { before: before.toISOString(), rows, upTo: last },
  })
  return rows
}
