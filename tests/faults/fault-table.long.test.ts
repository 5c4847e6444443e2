/**
 * Injects one fault after another into an installation, and prints a table of the responses callers got, the state in
 * /readyz and /metrics, and the time to recover without a manual restart.
 */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, type Callers, type Fault, type Seen, watchFault } from '../kit/fault-watch.ts'
import { createTestRepository } from '../kit/git.ts'
import { killPart, PARTS, siteOfParts } from '../kit/killed-parts.ts'
import { runOctavo } from '../kit/octavo-command.ts'
import { postgresProcesses, processTree, signalAll } from '../kit/processes.ts'
import { setClockBack } from '../kit/set-clock.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { NO_SMALL_DISK, openSmallDisk, type SmallDisk } from '../kit/small-disk.ts'
import { type StartedServer, startServer } from '../kit/started-server.ts'
import { ended, loadFactor } from '../kit/until.ts'
import { sampleOf } from '../kit/whole-run.ts'

const DOMAIN = 'faults.example.com'
/** Duration of each fault that does not end by itself. */
const HELD_MS = 9000
/** Limit for a request that waits for a frozen part. */
const LONGEST_MS = 10_000

const cleaning = new AsyncDisposableStack()
const table: string[][] = [
  ['fault', 'reads', 'site', 'writes', 'longest', '/readyz named', '503 in /metrics', 'recovered after'],
]
let server: StartedServer
let callers: Callers
let folder: string
let disk: SmallDisk | null = null
let votes = 0

before(async () => {
  if (NO_SMALL_DISK === false) disk = cleaning.use(await openSmallDisk(500))
  folder = disk?.folder ?? (await mkdtemp(join(tmpdir(), 'octavo-faults-')))
  if (disk === null) cleaning.defer(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'data'))
  const limits = { OCTAVO_LIMIT_FEEDBACK: '1000000/60', OCTAVO_LIMIT_SITE_FEEDBACK: '1000000/60' }
  const place = { dataFolder: join(folder, 'data'), logFile: join(folder, 'octavo.log') }
  server = cleaning.use(await startServer(limits, place))
  await writeSite(join(folder, 'site'), smallSite())
  const projectId = await server.addProject(DOMAIN, { kind: 'folder', repository: join(folder, 'site') })
  const { jobId } = await server.client.startExport({ domain: DOMAIN })
  await completed(jobId)
  const siteId = await server.onDatabase(async ({ queries }) => {
    const project = queries.selectFrom('projects').select('site_id').where('id', '=', projectId)
    return (await project.executeTakeFirstOrThrow()).site_id
  })
  callers = { domain: DOMAIN, siteId, jobId }
  const published = await fetch(`${server.url}/v1/deployments/${projectId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}` },
  })
  assert.ok(published.status < 300)
  await watch('nothing', async () => {
    await sleep(1000)
  })
})
after(async () => {
  await cleaning.disposeAsync()
  for (const row of table) process.stdout.write(`| ${row.join(' | ')} |\n`)
})

test('PostgreSQL killed: requests may return 503 until it has restarted', async () => {
  const seen = await watch('PostgreSQL killed', async () => {
    signalAll((await postgresProcesses(server.pid)).slice(0, 1), 'SIGKILL')
    await sleep(500)
  })
  only(seen, { read: [200, 503], site: [200, 503], write: [200, 201, 202, 503] })
})

test('PostgreSQL restarted: requests may return 503 until it is back', async () => {
  const seen = await watch('PostgreSQL restarted', async () => {
    signalAll((await postgresProcesses(server.pid)).slice(0, 1), 'SIGINT')
    await sleep(500)
  })
  only(seen, { read: [200, 503], site: [200, 503], write: [200, 201, 202, 503] })
})

test('PostgreSQL frozen: waiting requests end within ten seconds', async () => {
  const seen = await watch('PostgreSQL frozen', async () => {
    // Stop the postmaster first: it forks the others, so afterwards the list of processes is complete.
    signalAll((await postgresProcesses(server.pid)).slice(0, 1), 'SIGSTOP')
    const frozen = await postgresProcesses(server.pid)
    signalAll(frozen, 'SIGSTOP')
    await sleep(HELD_MS + LONGEST_MS)
    signalAll(frozen, 'SIGCONT')
  })
  only(seen, { read: [200, 503], site: [200, 503], write: [200, 201, 202, 503] })
  assert.ok(seen.statuses.read.has(503) && seen.parts.has('database'))
  assert.ok(seen.longestMs < LONGEST_MS * loadFactor(), `${seen.longestMs} ms`)
})

test('disk full: reads succeed and writes return 503', { skip: NO_SMALL_DISK }, async () => {
  const seen = await watch('disk full', async () => {
    await disk?.fill()
    await sleep(HELD_MS)
    await disk?.free()
  })
  only(seen, { read: [200], site: [200], write: [200, 201, 202, 503] })
  assert.ok(seen.statuses.write.has(503) && seen.parts.has('disk'))
})

test('object store unreachable: API reads and writes succeed, and site pages may return 503', async () => {
  const objects = join(folder, 'data', 'objects')
  const seen = await watch('objects unreachable', async () => {
    await rename(objects, `${objects}-away`)
    await sleep(HELD_MS)
    await rename(`${objects}-away`, objects)
  })
  only(seen, { read: [200], site: [200, 503], write: [200, 201, 202] })
  assert.ok(seen.parts.has('objects'))
})

test('worker killed: the next worker completes its job', async () => {
  const started: string[] = []
  const seen = await watch('worker killed', async () => {
    const { jobId } = await server.client.startExport({ domain: DOMAIN, version: 'worker killed' })
    started.push(jobId)
    const workers = (await processTree(server.pid)).filter(({ command }) =>
      /node .*worker-main/.test(command),
    )
    assert.ok(workers.length > 0)
    signalAll(workers, 'SIGKILL')
  })
  only(seen, { read: [200], site: [200], write: [200, 201, 202] })
  for (const jobId of started) await completed(jobId)
})

// killed-parts.long.test.ts tests each of them in detail.
for (const part of sampleOf(PARTS, PARTS.length))
  test(`${part.name} killed: the export completes`, async () => {
    await using source = await createTestRepository(siteOfParts(part.name, 60))
    const domain = `${part.name.replaceAll(' ', '-')}.example.com`
    await server.addProject(domain, { kind: 'folder', repository: source.folder, ref: 'main' })
    const seen = await watch(`${part.name} killed × ${part.kills}`, async (mended) => {
      const { jobId } = await server.client.startExport({ domain })
      assert.equal(await killPart(server.client, jobId, server.pid, part), part.kills)
      mended()
      await completed(jobId)
    })
    only(seen, { read: [200], site: [200], write: [200, 201, 202] })
  })

for (const [name, seconds] of [
  ['back by a day', 86_400],
  ['forward by a day', -86_400],
] as const)
  test(`database clock set ${name}: an export completes and no request fails`, async () => {
    const seen = await watch(`clock set ${name}`, async (mended) => {
      await server.onDatabase((database) => setClockBack(database, seconds))
      mended()
      const { jobId } = await server.client.startExport({ domain: DOMAIN, version: name })
      await completed(jobId)
    })
    only(seen, { read: [200], site: [200], write: [200, 201, 202] })
  })

test('a node with another OCTAVO_SECRET refuses to start, and the running node keeps serving', async () => {
  const seen = await watch('node with another secret', async () => {
    const { code, stderr } = await runOctavo(['start', '--join', '--no-sample', '--json'], {
      cwd: folder,
      env: { OCTAVO_DATA: join(folder, 'data'), OCTAVO_SECRET: 'x'.repeat(40), PORT: '0' },
    })
    assert.notEqual(code, 0)
    assert.match(stderr, /OCTAVO_SECRET differs/)
  })
  only(seen, { read: [200], site: [200], write: [200, 201, 202] })
})

test('every acknowledged vote is stored, and at most the votes answered with 503 in addition', async () => {
  const kept = await server.onDatabase(async ({ pool }) => {
    const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM feedback')
    return rows[0]?.count ?? 0
  })
  const refused = Number(table.slice(1).reduce((sum, row) => sum + countOf(row[3] ?? '', 503), 0))
  assert.ok(kept >= votes, `${votes} votes were acknowledged, ${kept} are there`)
  assert.ok(
    kept <= votes + refused,
    `${kept} votes are there, ${votes} were acknowledged, ${refused} refused`,
  )
})

async function watch(name: string, fault: Fault): Promise<Seen> {
  const seen = await watchFault(server, callers, fault)
  for (const [status, count] of seen.statuses.write) if (status < 300) votes += count
  table.push([
    name,
    ...(['read', 'site', 'write'] as const).map((caller) => told(seen, caller)),
    `${(seen.longestMs / 1000).toFixed(1)} s`,
    [...seen.parts.keys()].join(', ') || 'nothing',
    String(seen.refused),
    `${seen.recoveredAfterSeconds.toFixed(1)} s`,
  ])
  return seen
}

function told({ statuses }: Seen, caller: Caller): string {
  return [...statuses[caller]].map(([status, count]) => `${status} × ${count}`).join(', ')
}

function countOf(cell: string, status: number): number {
  return Number(new RegExp(`${status} × (\\d+)`).exec(cell)?.[1] ?? 0)
}

function only({ statuses }: Seen, allowed: Record<Caller, number[]>): void {
  for (const [caller, expected] of Object.entries(allowed))
    for (const status of statuses[caller as Caller].keys())
      assert.ok(expected.includes(status), `${caller} was answered ${status}`)
}

async function completed(jobId: string): Promise<void> {
  const { status, error } = await ended(() => server.client.getExport(jobId))
  assert.equal(status, 'completed', error ?? '')
}
