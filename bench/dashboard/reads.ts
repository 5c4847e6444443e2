/**
 * Measures reads of the internal API that grow with the feedback of a project, through the functions that answer them:
 * `node bench/dashboard/reads.ts`, after `bench/feedback/fill.ts` with the same OCTAVO_BENCH_ENTRIES.
 */
import { readFile } from 'node:fs/promises'
import { silentLog } from '../../src/base/log.ts'
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import { parseFilters, type RawFilters } from '../../src/features/feedback/filters.ts'
import { listFeedbackGroups } from '../../src/features/feedback/groups.ts'
import { readOverview } from '../../src/features/feedback/overview.ts'
import { parseSearchQuery, searchFeedback } from '../../src/features/feedback/search.ts'
import { createProjectWatch } from '../../src/features/projects/project-changes.ts'
import { ORGANIZATION, openBenchDatabase, PROJECT, percentile, say } from '../feedback/scene.ts'

const ROUNDS = Number(process.env.OCTAVO_BENCH_ROUNDS ?? 50)
const deps = { cursors: createCursorCodec('a secret of the measurements') }
const place = { organizationId: ORGANIZATION, projectId: PROJECT }

await using bench = await openBenchDatabase()
const { pool, queries } = bench.database

// fill.ts writes only unique comments; give a tenth of them a shared text.
const same = await pool.query(`SELECT FROM feedback WHERE comment LIKE 'Said by many%' LIMIT 1`)
if (same.rowCount === 0) {
  await pool.query(`
    UPDATE feedback SET comment = 'Said by many, ' || abs(hashtext(id)) % 5
    WHERE comment IS NOT NULL AND abs(hashtext(id)) % 10 = 0`)
  await pool.query('VACUUM (ANALYZE) feedback')
}

const watch = createProjectWatch({ queries, log: silentLog }, { pollMs: 3_600_000 })
const listGroups = (query: RawFilters) => listFeedbackGroups(queries, place, parseFilters(query).value)
const search = (query: RawFilters) =>
  searchFeedback(deps, queries, place, parseSearchQuery(deps, PROJECT, query).value)
const READS: Record<string, () => Promise<unknown>> = {
  'overview, 7 days': () => readOverview(queries, PROJECT, 7, Date.now()),
  'overview, 30 days': () => readOverview(queries, PROJECT, 30, Date.now()),
  'overview, 90 days': () => readOverview(queries, PROJECT, 90, Date.now()),
  'groups, all': () => listGroups({}),
  'groups, open': () => listGroups({ status: 'pending,in_progress' }),
  'groups, a busy page': () => listGroups({ path: '/guides/page-0' }),
  'search, a frequent word': () => search({ q: 'said by many' }),
  'search, a rare word': () => search({ q: 'no such word' }),
  'first look of live changes': async () => {
    const stop = new AbortController()
    await watch.follow(PROJECT, stop.signal)
    stop.abort()
  },
}

say(`${bench.entries} entries, nine of ten of one project, ${ROUNDS} rounds, milliseconds\n`)
say('| read | p50 | p99 | processor time |')
say('|---|---|---|---|')
for (const [name, read] of Object.entries(READS)) {
  const times: number[] = []
  let before = 0
  for (let round = -5; round < ROUNDS; round++) {
    if (round === 0) before = await processorTime()
    const start = performance.now()
    await read()
    if (round >= 0) times.push(performance.now() - start)
  }
  const each = Math.round(((await processorTime()) - before) / ROUNDS)
  say(`| ${name} | ${percentile(times, 0.5)} | ${percentile(times, 0.99)} | ${each} |`)
}

/** Returns the CPU milliseconds of the database connections and this process, which other load hardly affects. */
async function processorTime(): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  )
  const { user, system } = process.cpuUsage()
  let milliseconds = (user + system) / 1000
  for (const { pid } of rows) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    milliseconds += 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0))
  }
  return milliseconds
}
