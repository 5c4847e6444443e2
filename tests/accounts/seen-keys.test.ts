/** Keys that were seen before, with their places in one round trip: what has changed of one is felt by the next call. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { admitSeenKey } from '../../src/accounts/admit-seen-key.ts'
import { revokeApiKey } from '../../src/accounts/api-keys.ts'
import { authenticate, type Caller } from '../../src/accounts/authenticate.ts'
import { takeFromWindow } from '../../src/accounts/rate-window.ts'
import { silentLog } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { addKey, addOrganization } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const LIMIT = 5

async function scene(more: Parameters<typeof addKey>[2] = {}) {
  const organizationId = await addOrganization(database, 'pro')
  const key = await addKey(database, organizationId, more)
  const credentials = {
    authorization: `Bearer ${key.text}`,
    address: '203.0.113.9',
    scope: 'read',
    permission: 'read',
  } as const
  const windowOf = ({ id }: Caller) => ({ bucket: `seen:${id}`, limit: LIMIT, windowSeconds: 3600 })
  const begun: Caller[] = []
  const admit = (wanted: object = {}, { queries } = database as Database) =>
    admitSeenKey(queries, { ...credentials, ...wanted }, windowOf, (caller) => begun.push(caller))
  const look = () => authenticate(database.queries, credentials)
  const placesTaken = async () => {
    const { rows } = await database.pool.query<{ taken: number }>(
      'SELECT coalesce(sum(places), 0)::integer AS taken FROM rate_hits WHERE bucket = $1',
      [`seen:${key.id}`],
    )
    return rows[0]?.taken
  }
  return { organizationId, key, admit, look, placesTaken, begun }
}

test('a key that was seen takes its place with its look-up, and those of one turn share both', async () => {
  const { key, admit, look, placesTaken } = await scene()
  assert.equal(await admit(), null, 'it was not seen before')
  const seen = await look()
  const all = await Promise.all(Array.from({ length: LIMIT + 2 }, () => admit()))
  for (const one of all) assert.deepEqual(one?.caller, seen.kind === 'ok' && seen.caller)
  assert.deepEqual(
    all.map((one) => [one?.verdict.accepted, one?.verdict.remaining]),
    [4, 3, 2, 1, 0]
      .map((left) => [true, left])
      .concat([
        [false, 0],
        [false, 0],
      ]),
  )
  assert.equal(await placesTaken(), LIMIT)
  const { rows } = await database.pool.query('SELECT places FROM rate_hits WHERE bucket = $1', [
    `seen:${key.id}`,
  ])
  assert.deepEqual(rows, [{ places: LIMIT }])
})

test('work is begun for a caller while its place is asked for, as long as the window was seen with much room', async () => {
  const { admit, look, begun } = await scene()
  await admit()
  await look()
  const counts: number[] = []
  for (let call = 1; call <= LIMIT + 1; call++) {
    const asked = admit()
    await Promise.resolve()
    counts.push(begun.length)
    const admitted = await asked
    if (counts.at(-1) !== counts.at(-2)) assert.ok(call === 1 || begun.at(-1) === admitted?.caller)
  }
  assert.deepEqual(counts, [0, 1, 2, 3, 3, 3], 'not before it was seen, nor with one place of five left')
})

test('a key that has changed since, or may not, takes no place', async () => {
  const changes: [string, (scene: { organizationId: string; key: { id: string } }) => Promise<unknown>][] = [
    [
      'its plan',
      ({ organizationId }) =>
        database.pool.query(`UPDATE organizations SET plan = 'enterprise' WHERE id = $1`, [organizationId]),
    ],
    [
      'its projects',
      ({ key }) => database.pool.query(`UPDATE api_keys SET project_ids = '{prj_a}' WHERE id = $1`, [key.id]),
    ],
    [
      'its addresses',
      ({ key }) =>
        database.pool.query(`UPDATE api_keys SET allow_list = '{::1/128}' WHERE id = $1`, [key.id]),
    ],
    [
      'its end',
      ({ key }) => database.transaction((tx) => revokeApiKey(tx, { keyId: key.id, actor: 'test' })),
    ],
    [
      'its time',
      ({ key }) => database.pool.query(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [key.id]),
    ],
    ['that it is there', ({ key }) => database.pool.query('DELETE FROM api_keys WHERE id = $1', [key.id])],
  ]
  for (const [what, change] of changes) {
    const one = await scene()
    await one.look()
    assert.ok(await one.admit(), what)
    await change(one)
    assert.equal(await one.admit(), null, what)
    assert.equal(await one.placesTaken(), 1, what)
  }
})

test('keys of one turn share a commit, and what has changed of one is felt by that one alone', async () => {
  const scenes = await Promise.all(Array.from({ length: 5 }, () => scene()))
  for (const { look } of scenes) await look()
  const revoked = scenes[2]?.key.id ?? ''
  await database.transaction((tx) => revokeApiKey(tx, { keyId: revoked, actor: 'test' }))
  const admitted = await Promise.all(scenes.map(({ admit }) => admit()))
  for (const [index, one] of admitted.entries()) {
    const { key, organizationId, placesTaken } = scenes[index] as (typeof scenes)[number]
    const isRevoked = key.id === revoked
    assert.equal(await placesTaken(), isRevoked ? 0 : 1)
    assert.deepEqual(
      [one?.caller.id, one?.caller.organizationId, one?.verdict.remaining],
      isRevoked ? [undefined, undefined, undefined] : [key.id, organizationId, LIMIT - 1],
    )
  }
  const { rows } = await database.pool.query<{ commits: number }>(
    'SELECT count(DISTINCT xmin::text)::integer AS commits FROM rate_hits WHERE bucket = ANY($1)',
    [scenes.map(({ key }) => `seen:${key.id}`)],
  )
  assert.deepEqual(rows, [{ commits: 1 }])
})

test('a window that another connection holds keeps nobody waiting but its own callers', async () => {
  const [held, free] = [await scene(), await scene()]
  for (const { look } of [held, free]) await look()
  await using holder = await openDatabase({
    url: database.url,
    poolSize: 1,
    allowFsyncOff: true,
    log: silentLog,
  })
  const letGo = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = holder.transaction(async (tx) => {
    await takeFromWindow(tx, { bucket: `seen:${held.key.id}`, limit: LIMIT, windowSeconds: 3600 })
    isHeld.resolve()
    await letGo.promise
  })
  await isHeld.promise
  const waiting = Promise.all([held.admit(), held.admit()])
  const others = await Promise.all([free.admit(), free.admit()])
  assert.deepEqual(
    others.map((one) => one?.verdict.remaining),
    [LIMIT - 1, LIMIT - 2],
  )
  assert.equal(await Promise.race([waiting, free.admit().then(() => 'waits')]), 'waits')
  letGo.resolve()
  await holding
  const remaining = (await waiting).map((one) => one?.verdict.remaining)
  assert.deepEqual(remaining, [LIMIT - 2, LIMIT - 3])
})

test('servers that ask for the same windows in any order never wait for each other in a ring', async () => {
  await using other = await openDatabase({
    url: database.url,
    poolSize: 5,
    allowFsyncOff: true,
    log: silentLog,
  })
  const scenes = await Promise.all(Array.from({ length: 8 }, () => scene()))
  for (const { look } of scenes) await look()
  const accepted = new Map<string, number>()
  const walk = async (server: Database, from: number) => {
    for (let round = 0; round < 60; round++) {
      const order = scenes.map(
        (_, index) => scenes[(from + index * 3) % scenes.length] as (typeof scenes)[number],
      )
      for (const one of await Promise.all(order.map(({ admit }) => admit({}, server))))
        if (one?.verdict.accepted) accepted.set(one.caller.id, (accepted.get(one.caller.id) ?? 0) + 1)
    }
  }
  await Promise.all([walk(database, 0), walk(other, 3), walk(database, 5), walk(other, 6)])
  assert.deepEqual([...accepted.values()], Array(scenes.length).fill(LIMIT))
})

test('what a key may not do is for who says why', async () => {
  const one = await scene({ scopes: ['read'], allowList: ['203.0.113.0/24'] })
  await one.look()
  assert.ok(await one.admit())
  for (const refused of [{ scope: 'write' }, { address: '198.51.100.1' }, { authorization: 'Bearer x' }])
    assert.equal(await one.admit(refused), null)
  assert.equal(await one.placesTaken(), 1)
})
