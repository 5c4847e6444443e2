import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  FeedbackEntry,
  FeedbackStatus,
} from '../../../../../src/features/feedback/operations/feedback.ts'
import { EntryList } from './entry-list.ts'

const START = Date.parse('2026-11-01T00:00:00.000Z')

/** Creates an entry; higher numbers are newer, and 0 has no time. */
function entry(number: number, status: FeedbackStatus = 'pending'): FeedbackEntry {
  const createdAt = number === 0 ? null : new Date(START + number * 1000).toISOString()
  return {
    id: `fb_${String(number).padStart(6, '0')}`,
    path: '/',
    comment: null,
    createdAt,
    status,
    source: 'thumbs_only',
  }
}

/** Serves pages of `size` entries, which a test can change. */
function serve(first: FeedbackEntry[], size: number, wanted: readonly FeedbackStatus[] | null = null) {
  const server = { entries: first, asked: [] as (string | null)[], fails: false }
  const load = async (cursor: string | null) => {
    server.asked.push(cursor)
    if (server.fails) throw new Error('no')
    const matching = server.entries.filter(({ status }) => wanted === null || wanted.includes(status))
    const behind = cursor === null ? matching : matching.filter(({ id }) => id < cursor)
    const feedback = behind.slice(0, size)
    const hasMore = behind.length > size
    return { feedback, hasMore, nextCursor: hasMore ? (feedback.at(-1)?.id ?? null) : null }
  }
  return { server, list: new EntryList(load, wanted) }
}

const numbers = (list: EntryList) => list.state().ids.map((id) => Number(id.slice(3)))
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => entry(from - i))

test('loads page after page, one request at a time, until there are no more', async () => {
  const { list, server } = serve(down(5, 1), 2)
  await Promise.all([list.loadMore(), list.loadMore()])
  assert.deepEqual(numbers(list), [5, 4])
  await list.loadMore()
  await list.loadMore()
  await list.loadMore()
  assert.deepEqual(numbers(list), [5, 4, 3, 2, 1])
  assert.deepEqual(server.asked, [null, 'fb_000004', 'fb_000002'])
  assert.equal(list.state().hasMore, false)
})

test('a page that fails to load shows the error and is requested again', async () => {
  const { list, server } = serve(down(3, 1), 2)
  server.fails = true
  await list.loadMore()
  assert.match(String(list.state().error), /no/)
  server.fails = false
  await list.loadMore()
  assert.deepEqual(numbers(list), [3, 2])
  assert.equal(list.state().error, null)
})

test('new entries are counted and shown only on request', async () => {
  const { list, server } = serve(down(3, 1), 10)
  await list.loadMore()
  server.entries = [entry(5), entry(4), ...server.entries]
  await list.refresh()
  list.receive(entry(5))
  assert.deepEqual(numbers(list), [3, 2, 1])
  assert.equal(list.state().arrived, 2)
  await list.showArrived()
  assert.deepEqual(numbers(list), [5, 4, 3, 2, 1])
  assert.equal(list.state().arrived, 0)
})

test('showing more new entries than a page holds reloads the list', async () => {
  const { list, server } = serve(down(3, 1), 2)
  await list.loadMore()
  server.entries = [...down(9, 4), ...server.entries]
  await list.refresh()
  assert.equal(list.state().isManyArrived, true)
  assert.deepEqual(numbers(list), [3, 2])
  await list.showArrived()
  assert.deepEqual(numbers(list), [9, 8])
  assert.equal(list.state().isManyArrived, false)
})

test('an entry changed to a status that the list filters out leaves it, and undo puts it back in place', async () => {
  const { list } = serve(down(3, 1), 10, ['pending'])
  await list.loadMore()
  const before = list.setStatuses(new Map([['fb_000002', 'resolved']]))
  assert.deepEqual(numbers(list), [3, 1])
  list.setStatuses(before)
  assert.deepEqual(numbers(list), [3, 2, 1])
})

test('undo leaves out an entry whose status did not change', async () => {
  const { list } = serve(down(2, 1), 10)
  await list.loadMore()
  const before = list.setStatuses(
    new Map([
      ['fb_000002', 'pending'],
      ['fb_000001', 'resolved'],
      ['fb_000009', 'resolved'],
    ]),
  )
  assert.deepEqual([...before], [['fb_000001', 'pending']])
})

test('refreshing loaded pages removes entries that others gave another status, deep in the list too', async () => {
  const { list, server } = serve(down(6, 1), 2, ['pending'])
  await list.loadMore()
  await list.loadMore()
  await list.loadMore()
  server.entries = server.entries.map((one) =>
    ['fb_000006', 'fb_000003'].includes(one.id) ? { ...one, status: 'resolved' as const } : one,
  )
  await list.refresh()
  assert.deepEqual(numbers(list), [5, 4, 3, 2, 1])
  await list.refreshRows(1, 3)
  assert.deepEqual(numbers(list), [5, 4, 2, 1])
})

test('an entry older than the last loaded one is not counted as new and loads with its page', async () => {
  const { list } = serve(down(6, 1), 2)
  await list.loadMore()
  list.receive(entry(2))
  assert.equal(list.state().arrived, 0)
  await list.loadMore()
  await list.loadMore()
  assert.deepEqual(numbers(list), [6, 5, 4, 3, 2, 1])
})

test('entries without a time are sorted last', async () => {
  const { list } = serve([entry(1)], 10)
  await list.loadMore()
  list.receive(entry(0))
  list.receive(entry(2))
  await list.showArrived()
  assert.deepEqual(numbers(list), [2, 1, 0])
})

test('a removed entry is not shown, whether it was loaded or has arrived', async () => {
  const { list } = serve(down(2, 1), 10)
  await list.loadMore()
  list.receive(entry(3))
  list.remove('fb_000003')
  list.remove('fb_000002')
  assert.equal(list.state().arrived, 0)
  assert.deepEqual(numbers(list), [1])
})

test('ignores the response to a request made before a reload', async () => {
  const { list, server } = serve(down(4, 1), 2)
  await list.loadMore()
  const late = list.loadMore()
  server.entries = down(8, 7)
  await list.reload()
  await late
  assert.deepEqual(numbers(list), [8, 7])
})

test('a refresh does not revert the status of an entry while its change is in progress', async () => {
  const { list } = serve(down(2, 1), 10)
  await list.loadMore()
  list.setStatuses(new Map([['fb_000001', 'resolved']]))
  list.lockStatuses(['fb_000001'])
  await list.refresh()
  assert.equal(list.entry('fb_000001')?.status, 'resolved')
  list.releaseStatuses(['fb_000001'])
  await list.refresh()
  assert.equal(list.entry('fb_000001')?.status, 'pending')
})

test('an entry that does not match the other filters is not counted as new', async () => {
  const list = new EntryList(
    async () => ({ feedback: [entry(1)], nextCursor: null, hasMore: false }),
    null,
    ({ id }) => id !== 'fb_000002',
  )
  await list.loadMore()
  list.receive(entry(2))
  list.receive(entry(3))
  assert.equal(list.state().arrived, 1)
})
