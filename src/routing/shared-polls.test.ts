import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSharedPolls } from './shared-polls.ts'

test('streams of the same row share one query per poll, and streams of another row run their own', async () => {
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

test('nextPoll rejects with AbortError once the stream is aborted', async () => {
  await assert.rejects(createSharedPolls().nextPoll(AbortSignal.abort()), { name: 'AbortError' })
})
