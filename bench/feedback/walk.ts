/**
 * Walks over 10,000 entries with limit=1 while 50 writers insert, change and delete others:
 * `OCTAVO_BENCH_WALKS=200 node bench/feedback/walk.ts`. Counts missing and repeated entries among the untouched ones.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createId } from '../../src/base/ids.ts'
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import { listFeedback, parseListQuery } from '../../src/features/feedback/list-feedback.ts'
import { addOrganization, addProject } from '../../tests/kit/accounts.ts'
import { openTestDatabase } from '../../tests/kit/database.ts'
import { say } from './scene.ts'

const WALKS = Number(process.env.OCTAVO_BENCH_WALKS ?? 8)
const AT_ONCE = 8
const ENTRIES = 10_000
const WRITERS = 50

await using database = await openTestDatabase({ poolSize: 24 })
const { queries } = database
const organizationId = await addOrganization(database)
const { id: projectId } = await addProject(database, organizationId, 'walked.example.com')
const deps = { cursors: createCursorCodec('a secret of the walks') }

const start = Date.UTC(2026, 0, 1)
const rowOf = (createdAt: Date | null) => ({
  id: createId('fb'),
  project_id: projectId,
  source: 'thumbs_only' as const,
  path: '/a',
  helpful: true,
  created_at: createdAt,
})
// Groups of seven share a time, so that their order depends on ids. A tenth of the rows has no time.
const rows = Array.from({ length: ENTRIES }, (_, i) =>
  rowOf(i < ENTRIES * 0.9 ? new Date(start - Math.floor(i / 7) * 1000) : null),
)
for (let at = 0; at < ENTRIES; at += 1000)
  await queries
    .insertInto('feedback')
    .values(rows.slice(at, at + 1000))
    .execute()
const touched = rows.filter((_, index) => index % 5 === 0).map(({ id }) => id)
const isTouched = new Set(touched)
const expected = rows
  .filter(({ id }) => !isTouched.has(id))
  .sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? 1 : -1))
  .map(({ id }) => id)

const stop = new AbortController()
const writers = Array.from({ length: WRITERS }, (_, lane) => write(lane))
const began = performance.now()
const totals = { walks: 0, pages: 0, missing: 0, repeated: 0, disordered: 0 }
let next = 0
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next++ < WALKS) await walk()
  }),
)
stop.abort()
const writes = (await Promise.all(writers)).reduce((sum, count) => sum + count, 0)
const seconds = Math.round((performance.now() - began) / 100) / 10
say(
  JSON.stringify({
    ...totals,
    entries: ENTRIES,
    untouched: expected.length,
    writers: WRITERS,
    writes,
    seconds,
  }),
)
process.exitCode = totals.missing + totals.repeated + totals.disordered > 0 ? 1 : 0

async function walk(): Promise<void> {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { value } = parseListQuery(deps, projectId, { cursor }, [])
    const page = await listFeedback(deps, queries, { organizationId, projectId }, value, 1)
    for (const { id } of page.feedback) seen.push(id)
    totals.pages += 1
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  const met = new Set(seen)
  const known = new Set(expected)
  const inOrder = seen.filter((id) => known.has(id))
  totals.walks += 1
  totals.missing += expected.filter((id) => !met.has(id)).length
  totals.repeated += seen.length - met.size
  if (inOrder.join() !== expected.join()) totals.disordered += 1
}

/** Deletes its earlier rows before it inserts new ones, so that walks end. Returns the number of writes. */
async function write(lane: number): Promise<number> {
  let writes = 0
  let own: string[] = []
  while (!stop.signal.aborted) {
    const id = touched[(writes * WRITERS + lane) % touched.length] as string
    switch ((writes + lane) % 4) {
      case 0: {
        if (own.length > 0) await queries.deleteFrom('feedback').where('id', 'in', own).execute()
        const fresh = [rowOf(new Date()), rowOf(new Date(start - writes * 1000)), rowOf(null)]
        await queries.insertInto('feedback').values(fresh).execute()
        own = fresh.map((row) => row.id)
        break
      }
      case 1:
        await queries.updateTable('feedback').set({ status: 'resolved' }).where('id', '=', id).execute()
        break
      case 2:
        await queries.updateTable('feedback').set({ source: 'contextual' }).where('id', '=', id).execute()
        break
      case 3:
        if (writes % 20 === 3) await queries.deleteFrom('feedback').where('id', '=', id).execute()
        break
    }
    writes += 1
    await sleep(20)
  }
  return writes
}

function timeOf(row: { created_at: Date | null }): number {
  return row.created_at?.getTime() ?? Number.NEGATIVE_INFINITY
}
