import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOrganization } from '../../src/features/accounts/organizations/organizations.ts'
import { deleteStaleRows } from '../../src/features/accounts/settings/delete-stale-rows.ts'
import {
  type IdempotentCall,
  type IdempotentOutcome,
  type StoredResponse,
  withIdempotency,
} from '../../src/routing/idempotency.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase({ poolSize: 20 })
})
after(() => database[Symbol.asyncDispose]())

function call(key: string, more: Partial<IdempotentCall> = {}): IdempotentCall {
  return { callerId: 'key_1', key, method: 'POST', path: '/v1/things', bodyHash: 'hash of the body', ...more }
}

/** Creates an organization with this name, so that effects can be counted. */
function post(given: IdempotentCall, name = given.key, status = 201): Promise<IdempotentOutcome> {
  return database.transaction((tx) =>
    withIdempotency(tx, given, async (): Promise<StoredResponse> => {
      const made = await createOrganization(tx, { name, actor: 'test' })
      return { status, headers: { Location: `/v1/things/${made.id}` }, body: '{ "id":1 }' }
    }),
  )
}

async function countMade(name: string): Promise<number> {
  const rows = await database.queries
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', name)
    .execute()
  return rows.length
}

test('1,000 parallel calls with one key have one effect and one response', async () => {
  const outcomes = await Promise.all(Array.from({ length: 1000 }, () => post(call('thousand'))))
  assert.equal(await countMade('thousand'), 1)
  const kinds = Map.groupBy(outcomes, (outcome) => outcome.kind)
  assert.equal(kinds.get('first')?.length, 1)
  assert.equal(kinds.get('mismatch'), undefined)
  const answers = outcomes.flatMap((outcome) => ('answer' in outcome ? [JSON.stringify(outcome.answer)] : []))
  assert.equal(new Set(answers).size, 1)
  assert.equal((await post(call('thousand'))).kind, 'replay')
})

test('a repeated call returns the first response unchanged', async () => {
  const first = await post(call('again'))
  const second = await post(call('again'))
  assert.equal(first.kind, 'first')
  assert.deepEqual(second, { ...first, kind: 'replay' })
})

test('a different body under the same key is a mismatch and has no effect', async () => {
  await post(call('body'))
  assert.deepEqual(await post(call('body', { bodyHash: 'another' })), { kind: 'mismatch' })
  assert.equal(await countMade('body'), 1)
})

test('the same key is independent for another caller, path or method', async () => {
  await post(call('whose'))
  assert.equal((await post(call('whose', { callerId: 'key_2' }))).kind, 'first')
  assert.equal((await post(call('whose', { path: '/v1/others' }))).kind, 'first')
  assert.equal((await post(call('whose', { method: 'PATCH' }))).kind, 'first')
})

test('a call made while the first is running returns busy without waiting', async () => {
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const first = database.transaction((tx) =>
    withIdempotency(tx, call('busy'), async () => {
      started.resolve()
      await goOn.promise
      return { status: 201, headers: {}, body: '{}' }
    }),
  )
  await started.promise
  assert.deepEqual(await post(call('busy')), { kind: 'busy' })
  goOn.resolve()
  assert.equal((await first).kind, 'first')
  assert.equal((await post(call('busy'))).kind, 'replay')
})

test('a failed call does not use up its key', async () => {
  const failing = database.transaction((tx) =>
    withIdempotency(tx, call('fails'), () => Promise.reject(new Error('no such domain'))),
  )
  await assert.rejects(failing, /no such domain/)
  assert.equal((await post(call('fails'))).kind, 'first')
})

test('a connection lost during a call leaves neither the effect nor a stored response', async () => {
  const cut = database.transaction((tx) =>
    withIdempotency(tx, call('cut'), async () => {
      await createOrganization(tx, { name: 'cut', actor: 'test' })
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database =
           (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      await tx.selectFrom('organizations').select('id').execute()
      return { status: 201, headers: {}, body: '{}' }
    }),
  )
  await assert.rejects(cut)
  assert.equal(await countMade('cut'), 0)
  assert.equal((await post(call('cut'))).kind, 'first')
})

test('does not store an error response', async () => {
  await post(call('kept'), 'kept', 409)
  assert.equal((await post(call('kept'))).kind, 'first')
})

test('a key expires after 24 hours, and its stored response can be purged', async () => {
  await post(call('day'))
  await database.pool.query(
    `UPDATE idempotent_answers SET created_at = now() - interval '24 hours 1 second' WHERE key = 'day'`,
  )
  assert.equal((await post(call('day', { bodyHash: 'another' }))).kind, 'first')
  assert.equal((await post(call('day', { bodyHash: 'another' }))).kind, 'replay')
  await database.pool.query(
    `UPDATE idempotent_answers SET created_at = now() - interval '24 hours 1 second' WHERE key = 'day'`,
  )
  const cleared = await deleteStaleRows(database.queries, { longestWindowSeconds: 3600 })
  assert.equal(cleared.answers, 1)
})
