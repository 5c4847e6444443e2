/** Checks which index each feedback query uses, and that a query uses each index. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import { countFeedbackByPage, parsePageQuery } from '../../src/features/feedback/by-page.ts'
import { countFeedback } from '../../src/features/feedback/counts.ts'
import { parseFilters, type RawFilters } from '../../src/features/feedback/filters.ts'
import { findDuplicates, listFeedbackGroups } from '../../src/features/feedback/groups.ts'
import { selectPage } from '../../src/features/feedback/list-feedback.ts'
import { readOverview } from '../../src/features/feedback/overview.ts'
import { deleteVote } from '../../src/features/feedback/store.ts'
import { detectSpikes } from '../../src/features/notifications/feedback-spikes.ts'
import { addOrganization, addProject } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

const deps = { cursors: createCursorCodec('a secret of the test') }
let database: TestDatabase
let scope: { organizationId: string; projectId: string }

before(async () => {
  // A single connection, so that no statistics are missing.
  database = await openTestDatabase({ poolSize: 1 })
  const organizationId = await addOrganization(database)
  const { id: projectId } = await addProject(database, organizationId, 'indexed.example.com')
  scope = { organizationId, projectId }
  await database.pool.query(
    `INSERT INTO feedback (id, project_id, source, status, created_at, path, helpful, comment, client_hash,
       assignee_id, label_ids)
     SELECT 'fb_' || lpad(n::text, 26, '0'), CASE WHEN n % 10 = 0 THEN $1 ELSE 'prj_' || n % 997 END,
       CASE WHEN n % 3 = 0 THEN 'agent' ELSE 'thumbs_only' END, CASE WHEN n % 50 = 0 THEN 'dismissed' ELSE 'pending' END,
       now() - n * interval '1 minute', '/page-' || n % 70, n % 3 > 0 OR NULL, CASE WHEN n % 3 = 0 THEN 'Text ' || n % 90 END,
       decode(md5(n::text), 'hex'), CASE WHEN n % 900 = 0 THEN 'usr_one' END, CASE WHEN n % 900 = 0 THEN '{lbl_one}'::text[] ELSE '{}' END
     FROM generate_series(1, 30000) AS n`,
    [projectId],
  )
  await database.pool.query('VACUUM (ANALYZE) feedback')
  // At 1000 projects and a lower cost, the planner would find spikes with a skip scan of `feedback_by_time`.
  await database.pool.query('SET random_page_cost = 4')
})
after(() => database[Symbol.asyncDispose]())

const list = (query: RawFilters) =>
  selectPage(database.queries, scope, parseFilters(query).value, { after: null, limit: 51 })

/** Queries with the index they use. Covers every index of the table. */
const QUERIES: [string, index: string, run: () => Promise<unknown>][] = [
  ['list', 'feedback_by_time', () => list({})],
  ['list of a period', 'feedback_by_time', () => list({ dateFrom: '2020-01-01' })],
  ['list by status', 'feedback_by_state', () => list({ status: 'dismissed,resolved' })],
  ['rows of a merged page', 'feedback_pkey', () => list({ status: 'dismissed' })],
  ['list by source', 'feedback_by_state', () => list({ source: 'agent' })],
  ['list by both', 'feedback_by_state', () => list({ source: 'agent', status: 'dismissed' })],
  ['list of a page', 'feedback_by_page', () => list({ path: '/page-40', status: 'pending' })],
  ['list by assignee', 'feedback_by_assignee', () => list({ assignee: 'usr_one' })],
  ['list by label', 'feedback_by_label', () => list({ label: 'lbl_one' })],
  [
    'counts by state',
    'feedback_by_state',
    () => countFeedback(database.queries, scope, parseFilters({ source: 'code_snippet' }).value),
  ],
  [
    'counts of a page',
    'feedback_by_page',
    () =>
      countFeedbackByPage(
        deps,
        database.queries,
        scope,
        parsePageQuery(deps, scope.projectId, { path: '/page-40' }).value,
      ),
  ],
  [
    'counts of a period',
    'feedback_by_time',
    () => readOverview(database.queries, scope.projectId, 7, Date.now()),
  ],
  ['groups', 'feedback_same', () => listFeedbackGroups(database.queries, scope, parseFilters({}).value)],
  [
    'duplicates',
    'feedback_same',
    () => findDuplicates(database.queries, scope.projectId, { id: 'fb_', path: '/page-40', same_hash: 1 }),
  ],
  ['entries of the last hour', 'feedback_recent', () => detectSpikes(database, new AbortController().signal)],
  [
    'withdrawal of a vote',
    'feedback_by_client',
    () => deleteVote(database.queries, scope.projectId, 'unknown'),
  ],
]

for (const [name, index, run] of QUERIES)
  test(`${name} uses the index ${index}`, async () => {
    const before = await scansOf(index)
    await run()
    assert.ok((await scansOf(index)) > before)
  })

test('every index of the feedback table is used by a query', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'feedback' ORDER BY 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...new Set(QUERIES.map(([, index]) => index))].sort(),
  )
})

async function scansOf(index: string): Promise<number> {
  await database.pool.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await database.pool.query<{ scans: string }>(
    'SELECT idx_scan AS scans FROM pg_stat_user_indexes WHERE indexrelname = $1',
    [index],
  )
  return Number(rows[0]?.scans ?? 0)
}
