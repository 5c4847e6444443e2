/** Callers who ask the same at one moment share the answer, and nothing else: not their places, nor what they may see. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey, revokeApiKey } from '../../src/accounts/api-keys.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { type ApiUnderTest, addProject, startApi, withKey } from './api-under-test.ts'

let api: ApiUnderTest
let feedback: string
before(async () => {
  api = await startApi({ poolSize: 20, limits: { analytics: { count: 1000, seconds: 3600 } } })
  feedback = `/v1/analytics/${api.acme.projectId}/feedback`
  await putRows(api.database, api.acme.projectId, [{ path: '/start', comment: 'It helped.' }])
})
after(() => api[Symbol.asyncDispose]())

const ask = (key: string, path: string, init: RequestInit = {}) => api.fetch(path, withKey(key, init))

/** Nobody reads feedback until what is answered ends. */
async function holdFeedback(): Promise<AsyncDisposable> {
  const holder = await api.database.pool.connect()
  await holder.query('BEGIN; LOCK TABLE feedback')
  return {
    async [Symbol.asyncDispose]() {
      await holder.query('COMMIT')
      holder.release()
    },
  }
}

/** Statements that wait for feedback, once so many do. */
async function waiting(least: number): Promise<number> {
  for (;;) {
    const { rows } = await api.database.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
       WHERE datname = current_database() AND relation = 'feedback'::regclass AND NOT granted`,
    )
    const count = rows[0]?.count ?? 0
    if (count >= least) return count
    await sleep(10)
  }
}

/** By all who asked for feedback, each of whom has passed the checks of key and limit by then. */
async function placesTaken(): Promise<number> {
  const { rows } = await api.database.pool.query<{ places: number }>(
    "SELECT coalesce(sum(places), 0)::integer AS places FROM rate_hits WHERE bucket LIKE 'analytics:%'",
  )
  return rows[0]?.places ?? 0
}

test('many who ask the same are one question to the database, each with a place of its own', async () => {
  const before = await placesTaken()
  const hold = await holdFeedback()
  const asked = Array.from({ length: 12 }, () => ask(api.acme.key, feedback))
  while ((await placesTaken()) < before + asked.length) await sleep(10)
  const another = ask(api.acme.key, `${feedback}?limit=1`)
  assert.equal(await waiting(2), 2)
  await hold[Symbol.asyncDispose]()
  const answers = await Promise.all(asked)
  const bodies = await Promise.all(answers.map((answer) => answer.text()))
  assert.equal(new Set(bodies).size, 1)
  assert.match(bodies[0] ?? '', /It helped\./)
  assert.equal(new Set(answers.map(({ headers }) => headers.get('ratelimit'))).size, asked.length)
  assert.equal(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size, asked.length)
  assert.equal((await another).status, 200)
})

test('another organization, or a key for other projects, has no part in it', async () => {
  const elsewhere = await addProject(api.database.queries, api.acme.organizationId, 'elsewhere')
  const { text: limited } = await api.database.transaction((tx) =>
    createApiKey(tx, {
      organizationId: api.acme.organizationId,
      ...{ name: 'limited', actor: 'test', makerId: null, projectIds: [elsewhere] },
    }),
  )
  const taken = await placesTaken()
  const hold = await holdFeedback()
  const own = ask(api.acme.key, feedback)
  const others = [ask(api.other.key, feedback), ask(limited, feedback)]
  while ((await placesTaken()) < taken + 3) await sleep(10)
  await hold[Symbol.asyncDispose]()
  assert.equal((await own).status, 200)
  for (const answer of await Promise.all(others)) assert.equal(answer.status, 404)
})

test('who goes away takes the answer from nobody', async () => {
  const hold = await holdFeedback()
  const going = new AbortController()
  const gone = ask(api.acme.key, feedback, { signal: going.signal })
  const taken = await placesTaken()
  const rest = Array.from({ length: 3 }, () => ask(api.acme.key, feedback))
  await waiting(1)
  going.abort()
  await assert.rejects(gone, { name: 'AbortError' })
  while ((await placesTaken()) < taken + rest.length) await sleep(10)
  await hold[Symbol.asyncDispose]()
  for (const answer of await Promise.all(rest)) assert.equal(answer.status, 200)
})

test('a refusal is for all who asked, and the next one is asked for anew', async () => {
  const missing = feedback.replace(api.acme.projectId, 'prj_00000000000000000000000000')
  const refused = await Promise.all(Array.from({ length: 5 }, () => ask(api.acme.key, missing)))
  for (const answer of refused) assert.equal(answer.status, 404)
  assert.equal((await ask(api.acme.key, feedback)).status, 200)
})

test('an answer that was begun for a key leaves for nobody whose key has ended meanwhile', async () => {
  const { text, key } = await api.database.transaction((tx) =>
    createApiKey(tx, {
      organizationId: api.acme.organizationId,
      ...{ name: 'ends', actor: 'test', makerId: null },
    }),
  )
  for (let call = 0; call < 2; call++) assert.equal((await ask(text, feedback)).status, 200)
  const hold = await holdFeedback()
  const taken = await placesTaken()
  await api.database.transaction((tx) => revokeApiKey(tx, { keyId: key.id, actor: 'test' }))
  const refused = ask(text, feedback)
  await waiting(1)
  assert.equal((await refused).status, 401, 'without waiting for what was begun')
  assert.equal(await placesTaken(), taken)
  await hold[Symbol.asyncDispose]()
})
