import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createId } from '../../src/base/ids.ts'
import { recordAudit } from '../../src/database/audit.ts'
import { pruneAudit, verifyAudit } from '../../src/features/accounts/audit/audit-chain.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase({ poolSize: 20 })
})
after(() => database[Symbol.asyncDispose]())

function record(organizationId: string, subject: string, details: Record<string, unknown> = {}) {
  return database.transaction((tx) =>
    recordAudit(tx, { organizationId, actor: 'usr_a', action: 'webhook.updated', subject, details }),
  )
}

/** Creates an organization with `count` audit rows. */
async function logOf(count: number): Promise<string> {
  const organizationId = createId('org')
  for (let n = 1; n <= count; n++) await record(organizationId, `thing ${n}`)
  return organizationId
}

const faultsOf = async (organizationId: string) =>
  (await verifyAudit(database.queries, organizationId)).faults

const run = (text: string) => database.pool.query(text)

test('concurrent writers form one chain without gaps, separate for each organization', async () => {
  const [first, second] = [createId('org'), createId('org')]
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      record(n % 3 === 0 ? second : first, `é"\n${n}`, {
        text: 'ü'.repeat(n),
        number: n / 7,
        list: [1, null],
      }),
    ),
  )
  const verdict = await verifyAudit(database.queries, first)
  assert.deepEqual(verdict.faults, [])
  assert.equal(verdict.rows, 40)
  assert.equal(verdict.head?.number, 40)
  assert.equal((await verifyAudit(database.queries, second)).rows, 20)
  assert.deepEqual(await faultsOf(second), [])
})

test('a rolled-back transaction leaves no row and no gap', async () => {
  const organizationId = await logOf(1)
  await assert.rejects(
    database.transaction(async (tx) => {
      await recordAudit(tx, { organizationId, actor: 'cli', action: 'webhook.deleted', subject: 'x' })
      throw new Error('undone')
    }),
    /undone/,
  )
  await record(organizationId, 'after')
  const verdict = await verifyAudit(database.queries, organizationId)
  assert.deepEqual([verdict.rows, verdict.head?.number, verdict.faults], [2, 2, []])
})

test('detects a later change of any column of a row', async () => {
  for (const change of [
    "actor = 'usr_b'",
    "action = 'webhook.created'",
    "subject = 'another thing'",
    `details = '{"a": 1}'`,
    "at = at - interval '1 second'",
    "id = 'aud_another' || number",
    "hash = sha256('x')",
  ]) {
    const organizationId = await logOf(4)
    await run(`UPDATE audit_rows SET ${change} WHERE organization_id = '${organizationId}' AND number = 2`)
    const faults = await faultsOf(organizationId)
    assert.match(faults[0] ?? '', /^Row 2 \(aud_\w+\) or the one before it was changed\.$/, change)
  }
})

test('detects rows removed in the middle, at the start, at the end and entirely', async () => {
  for (const [where, faults] of [
    ['number = 3', ['Row 3 is missing.']],
    ['number IN (2, 3)', ['Rows 2 to 3 are missing.']],
    ['number = 1', ['Row 1 is missing.']],
    ['number > 3', ['Rows 4 to 5 are missing.']],
    ['true', ['Rows 1 to 5 are missing.']],
  ] as const) {
    const organizationId = await logOf(5)
    await run(`DELETE FROM audit_rows WHERE organization_id = '${organizationId}' AND ${where}`)
    assert.deepEqual(await faultsOf(organizationId), faults, where)
  }
})

test('detects reordered rows, also when their numbers were fixed', async () => {
  const organizationId = await logOf(4)
  const of = `organization_id = '${organizationId}'`
  await run(`UPDATE audit_rows SET number = -2 WHERE ${of} AND number = 2`)
  await run(`UPDATE audit_rows SET number = 2 WHERE ${of} AND number = 3`)
  await run(`UPDATE audit_rows SET number = 3 WHERE ${of} AND number = -2`)
  assert.equal((await faultsOf(organizationId)).length, 3)
})

test('a chain truncated together with its head is detected with an earlier anchor', async () => {
  const organizationId = await logOf(5)
  const { head } = await verifyAudit(database.queries, organizationId)
  await run(`DELETE FROM audit_rows WHERE organization_id = '${organizationId}' AND number > 3`)
  await run(
    `UPDATE audit_chains SET number = 3, hash = (SELECT hash FROM audit_rows
       WHERE organization_id = '${organizationId}' AND number = 3) WHERE organization_id = '${organizationId}'`,
  )
  assert.deepEqual(await faultsOf(organizationId), [])
  const cut = await verifyAudit(database.queries, organizationId, head)
  assert.deepEqual(cut.faults, ['Row 5 of the anchor is missing: the end of the chain was removed.'])
  await record(organizationId, 'others')
  await record(organizationId, 'instead')
  const anew = await verifyAudit(database.queries, organizationId, head)
  assert.deepEqual(anew.faults, ['Row 5 does not match the anchor: the chain was rewritten.'])
})

test('detects a row inserted without the chain trigger', async () => {
  const organizationId = await logOf(2)
  await run('ALTER TABLE audit_rows DISABLE TRIGGER audit_rows_chain')
  await record(organizationId, 'past the chain')
  await run('ALTER TABLE audit_rows ENABLE TRIGGER audit_rows_chain')
  const faults = await faultsOf(organizationId)
  assert.equal(faults.length, 1)
  assert.match(faults[0] ?? '', /^The row aud_\w+ is not in the chain\.$/)
})

test('pruning old rows starts the chain after them and is recorded in the audit log', async () => {
  const organizationId = await logOf(6)
  const of = `organization_id = '${organizationId}'`
  const { head } = await verifyAudit(database.queries, organizationId)
  // Make three rows a year old, then rebuild the chain so that their hashes match.
  await run(`UPDATE audit_rows SET at = at - interval '1 year' WHERE ${of} AND number <= 3`)
  await rehash(organizationId)
  const anchored = (await verifyAudit(database.queries, organizationId)).head
  const before = new Date(Date.now() - 86_400_000)
  const prune = () => database.transaction((tx) => pruneAudit(tx, { organizationId, before, actor: 'cli' }))
  assert.equal(await prune(), 3)
  assert.equal(await prune(), 0)
  const verdict = await verifyAudit(database.queries, organizationId, anchored)
  assert.deepEqual([verdict.checkpoint, verdict.rows, verdict.head?.number, verdict.faults], [3, 4, 7, []])
  assert.notDeepEqual(head, anchored)
  const last = await database.queries
    .selectFrom('audit_rows')
    .select(['action', 'details'])
    .where('organization_id', '=', organizationId)
    .where('number', '=', 7)
    .executeTakeFirstOrThrow()
  assert.equal(last.action, 'audit.pruned')
  assert.deepEqual(last.details, { before: before.toISOString(), rows: 3, upTo: 3 })
  await run(`DELETE FROM audit_rows WHERE ${of} AND number = 4`)
  assert.deepEqual(await faultsOf(organizationId), ['Row 4 is missing.'])
})

test('all rows can be pruned', async () => {
  const organizationId = await logOf(3)
  const before = new Date(Date.now() + 86_400_000)
  await database.transaction((tx) => pruneAudit(tx, { organizationId, before, actor: 'cli' }))
  const verdict = await verifyAudit(database.queries, organizationId)
  assert.deepEqual([verdict.checkpoint, verdict.rows, verdict.faults], [3, 1, []])
})

test('verifies an organization without rows, and reports an anchor that has no matching row', async () => {
  const verdict = await verifyAudit(database.queries, 'org_none')
  assert.deepEqual(verdict, { rows: 0, checkpoint: 0, head: null, faults: [] })
  const anchored = await verifyAudit(database.queries, 'org_none', { number: 1, hash: '0'.repeat(64) })
  assert.equal(anchored.faults.length, 1)
})

/** Rebuilds the chain from the current rows. */
async function rehash(organizationId: string): Promise<void> {
  await sql`UPDATE audit_chains SET number = 0, hash = '\\x' WHERE organization_id = ${organizationId}`.execute(
    database.queries,
  )
  const rows = await database.queries
    .selectFrom('audit_rows')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('number')
    .execute()
  await database.queries
    .updateTable('audit_rows')
    .set({ number: null, hash: null })
    .where('organization_id', '=', organizationId)
    .execute()
  for (const { id } of rows) await sql`SELECT chain_audit_row(${id})`.execute(database.queries)
}
