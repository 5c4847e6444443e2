import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSharedLooks } from './shared-looks.ts'

test('streams at one row share its looks, and those at another one have their own', async () => {
  const looks = createSharedLooks<string>()
  const { signal } = new AbortController()
  const asked: string[] = []
  const follow = async (row: string) => {
    await looks.next(signal)
    return looks.ask(row, async () => {
      asked.push(row)
      await nextTurn()
      return row
    })
  }
  const rows = [...Array<string>(300).fill('a'), 'b']
  assert.deepEqual(await Promise.all(rows.map(follow)), rows)
  assert.ok(asked.length < 30, `${asked.length} looks`)
})

test('a stream that is left does not wait for the next look', async () => {
  await assert.rejects(createSharedLooks().next(AbortSignal.abort()), { name: 'AbortError' })
})
