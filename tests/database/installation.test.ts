/** Nodes that do not belong to their database: with a different secret or object store. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { joinInstallation } from '../../src/app/installation.ts'
import { silentLog } from '../../src/base/log.ts'
import { DatabaseStartError } from '../../src/database/start-error.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { openTestDatabase } from '../kit/database.ts'
import { openMemoryStore } from '../kit/memory-store.ts'

test('the first node writes its mark, and matching nodes join, also concurrently', async (t) => {
  const { node } = await open(t)
  const objects = openMemoryStore()
  await Promise.all(Array.from({ length: 8 }, () => node('one', objects)))
  await node('one', objects)
})

test('rejects a node with a different OCTAVO_SECRET', async (t) => {
  const { node } = await open(t)
  const objects = openMemoryStore()
  await node('one', objects)
  await refuses(node('two', objects), /^OCTAVO_SECRET differs/)
  await refuses(node('two', unreachable()), /^OCTAVO_SECRET differs/)
})

test('rejects a node whose object store is empty or belongs to another database', async (t) => {
  const [here, elsewhere] = [await open(t), await open(t)]
  const [objects, others] = [openMemoryStore(), openMemoryStore()]
  await here.node('one', objects)
  await elsewhere.node('one', others)
  await refuses(here.node('one', openMemoryStore()), /differs from the other nodes/)
  await refuses(here.node('one', others), /belongs to another database/)
  await refuses((await open(t)).node('one', objects), /belongs to another database/)
})

test('a later node writes the store mark that the first node failed to write', async (t) => {
  const { node, database } = await open(t)
  const objects = openMemoryStore()
  await node('one', unreachable())
  await node('one', objects)
  await database.queries.updateTable('installation').set({ is_store_marked: false }).execute()
  await node('one', objects)
  await refuses(node('one', openMemoryStore()), /differs/)
})

test('an unreachable object store does not keep a node from starting', async (t) => {
  const { node } = await open(t)
  await node('one', openMemoryStore())
  await node('one', unreachable())
})

test('a node with another secret and store joins after the installation row is deleted', async (t) => {
  const { node, database } = await open(t)
  await node('one', openMemoryStore())
  await database.queries.deleteFrom('installation').execute()
  await node('two', openMemoryStore())
})

async function open(t: TestContext) {
  const database = await openTestDatabase()
  t.after(() => database[Symbol.asyncDispose]())
  const node = (secret: string, objects: ObjectStore) =>
    joinInstallation({ database, objects, secret, log: silentLog })
  return { database, node }
}

function unreachable(): ObjectStore {
  const fail = () => Promise.reject(new Error('connect ECONNREFUSED'))
  return { ...openMemoryStore(), read: fail, put: fail, head: fail }
}

async function refuses(starting: Promise<void>, words: RegExp): Promise<void> {
  await assert.rejects(starting, (error) => error instanceof DatabaseStartError && words.test(error.message))
}
