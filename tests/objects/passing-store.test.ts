import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ObjectMissingError } from '../../src/objects/object-store.ts'
import { openPassingStore } from '../../src/objects/passing-store.ts'

let place: string
before(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-passing-'))
})
after(() => rmSync(place, { recursive: true }))

test('what a run puts aside is on disk while it runs, and nothing of it is left', async () => {
  {
    await using store = await openPassingStore(place)
    await store.put('bodies/a.json.zst', Buffer.from('one'))
    assert.equal(Buffer.from(await store.read('bodies/a.json.zst')).toString(), 'one')
    await assert.rejects(store.read('bodies/b.json.zst'), ObjectMissingError)
    assert.deepEqual(
      readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length,
      2,
    )
  }
  assert.deepEqual(readdirSync(place), [])
})

test('where no folder can be made it is kept in memory', async () => {
  await using store = await openPassingStore(join(place, 'absent'))
  await store.put('bodies/a.json.zst', Buffer.from('one'))
  assert.equal(Buffer.from(await store.read('bodies/a.json.zst')).toString(), 'one')
})
