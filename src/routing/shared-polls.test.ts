import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSharedPolls } from './shared-polls.ts'

test('streams at one row share its looks, and those at another one have their own', async () => {
  const polls = createSharedPolls<string>()
  const { signal } = new AbortController()
  const asked: string[] = []
  const follow = async (row: string) => {
    await polls.nextPoll(signal)
    return polls.load(row, async () => {
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
  await assert.rejects(createSharedPolls().nextPoll(AbortSignal.abort()), { name: 'AbortError' })
})
