/** Nodes of one database that do not fit each other: with another secret, or another object store. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { joinInstallation } from '../../src/app/installation.ts'
import { silentLog } from '../../src/base/log.ts'
import { DatabaseStartError } from '../../src/database/start-error.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { openTestDatabase } from '../kit/database.ts'
import { openMemoryStore } from '../kit/memory-store.ts'

test('the first node leaves its mark, and nodes that are like it join, also all at once', async (t) => {
  const { node } = await open(t)
  const objects = openMemoryStore()
  await Promise.all(Array.from({ length: 8 }, () => node('one', objects)))
  await node('one', objects)
})

test('a node with another secret is told what to do', async (t) => {
  const { node } = await open(t)
  const objects = openMemoryStore()
  await node('one', objects)
  await refuses(node('two', objects), /^OCTAVO_SECRET differs/)
  await refuses(node('two', unreachable()), /^OCTAVO_SECRET differs/)
})

test('a node with a store that is empty, or of another database, is told what to do', async (t) => {
  const [here, elsewhere] = [await open(t), await open(t)]
  const [objects, others] = [openMemoryStore(), openMemoryStore()]
  await here.node('one', objects)
  await elsewhere.node('one', others)
  await refuses(here.node('one', openMemoryStore()), /differs from the other nodes/)
  await refuses(here.node('one', others), /belongs to another database/)
  await refuses((await open(t)).node('one', objects), /belongs to another database/)
})

test('a first node that died before its mark was in the store is followed by one that puts it there', async (t) => {
  const { node, database } = await open(t)
  const objects = openMemoryStore()
  await node('one', unreachable())
  await node('one', objects)
  await database.queries.updateTable('installation').set({ is_store_marked: false }).execute()
  await node('one', objects)
  await refuses(node('one', openMemoryStore()), /differs/)
})

test('a store that does not answer keeps no node from starting', async (t) => {
  const { node } = await open(t)
  await node('one', openMemoryStore())
  await node('one', unreachable())
})

test('what is lost for good is given up by deleting the row', async (t) => {
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
