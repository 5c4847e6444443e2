/** Prometheus metrics and the health of each part of a node. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rename } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import parse from 'parse-prometheus-text-format'
import { readInstallationState } from '../../src/app/installation-metrics.ts'
import { createMetrics, LOOP_NAMES, renderMetrics } from '../../src/app/metrics.ts'
import { PROGRAM_VERSION } from '../../src/app/version.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { until } from '../kit/until.ts'

const TOKEN = 'a-token-of-sixteen-and-more'
const DOMAIN = 'figures.localhost'
const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy')

const STARTED = performance.now()
let node: TestNode
before(async () => {
  node = await startTestNode({ OCTAVO_METRICS_TOKEN: TOKEN }, { hasWorkerProcess: true })
  await node.addSite(DOMAIN, {
    'docs.json': JSON.stringify({
      name: 'Figures',
      theme: 'mint',
      colors: { primary: '#123456' },
      navigation: { pages: ['index'] },
    }),
    'index.mdx': '---\ntitle: First\n---\n\nWords.\n',
  })
})
after(() => node[Symbol.asyncDispose]())

test('exposes metrics for jobs, stages, requests, queue, connection pool, disk, loops and object calls', async () => {
  const { jobId } = await node.client.startExport({ domain: DOMAIN })
  assert.equal((await node.finished(jobId)).status, 'completed')
  const text = await scraped(
    (all) => figureOf(all, 'octavo_job_duration_seconds_count', { end: 'completed' }) === 1,
  )
  for (const stage of ['source', 'render', 'store'])
    assert.equal(figureOf(text, 'octavo_job_stage_duration_seconds_count', { job: 'export.build', stage }), 1)
  const route = 'POST /v1/static-export/jobs'
  assert.equal(figureOf(text, 'octavo_http_request_duration_seconds_count', { route, status: '202' }), 1)
  for (const [name, labels] of [
    ['octavo_queue_jobs', { job: 'export.build', state: 'queued' }],
    ['octavo_queue_oldest_seconds', { job: 'agent.run' }],
    ['octavo_database_connections', { process: 'server', state: 'idle' }],
    ['octavo_database_connections', { process: 'worker', state: 'idle' }],
    ['octavo_disk_bytes', { state: 'free' }],
    ['octavo_loop_age_seconds', { loop: 'webhooks', process: 'worker' }],
    ['octavo_loop_age_seconds', { loop: 'pull_requests', process: 'worker' }],
    ['octavo_loop_age_seconds', { loop: 'domains', process: 'worker' }],
    ['octavo_loop_age_seconds', { loop: 'housekeeping', process: 'server' }],
    ['octavo_loop_age_seconds', { loop: 'queue', process: 'server' }],
    ['octavo_loop_age_seconds', { loop: 'queue', process: 'worker' }],
    ['octavo_object_calls_total', { call: 'put', end: 'ok', process: 'worker' }],
    ['octavo_build_info', { version: PROGRAM_VERSION }],
    ['octavo_outgoing_messages', { kind: 'webhook', state: 'failed' }],
    ['octavo_outgoing_messages', { kind: 'mail', state: 'waiting' }],
    ['nodejs_eventloop_lag_p99_seconds', { process: 'server' }],
  ] as const)
    assert.notEqual(figureOf(text, name, labels), undefined, `${name} ${JSON.stringify(labels)}`)
})

test('reports database, table and object storage sizes and the age of the last storage sweep', async () => {
  const { queries } = node.node.context.database
  const { plan, organization_id } = await queries
    .selectFrom('organizations')
    .select(['plan', 'id as organization_id'])
    .executeTakeFirstOrThrow()
  await queries
    .insertInto('storage_use')
    .values([
      { organization_id, holder: 'exports', objects: 2, bytes: 70_000 },
      { organization_id: '', holder: 'exports', objects: 1, bytes: 5 },
    ])
    .execute()
  const at = new Date(Date.now() - 3_600_000)
  await queries.insertInto('storage_sweeps').values({ started_at: at, ended_at: at }).execute()
  const state = await readInstallationState(queries)
  const metrics = createMetrics('server')
  metrics.watchInstallation(async () => state)
  const { text } = await renderMetrics([await metrics.snapshot()])
  assert.equal(figureOf(text, 'octavo_stored_bytes', { plan, use: 'exports' }), 70_000)
  assert.equal(figureOf(text, 'octavo_stored_bytes', { plan: 'none', use: 'exports' }), 5)
  assert.match(text, /^octavo_storage_sweep_age_seconds\{[^}]*\} 36\d\d/m)
  const tables = state.tables.map(({ table }) => table)
  assert.equal(new Set(tables).size, tables.length)
  assert.ok(state.tables.every(({ bytes }) => bytes <= state.databaseBytes))
  assert.ok(
    !tables.some((table) => /analytics_counts_|_\d{4}/.test(table)),
    `partitions count as one: ${tables}`,
  )
})

test('metric names and labels follow the Prometheus conventions', async () => {
  for (const { name, type, help, metrics } of parse(await scrape()) as Family[]) {
    assert.match(name, /^[a-z_:][a-z0-9_:]*$/, name)
    assert.ok(help.length > 0, `${name} has no help`)
    if (!name.startsWith('octavo_')) continue // those of Node itself are the library's
    assert.equal(name.endsWith('_total'), type === 'COUNTER', `${name} is a ${type}`)
    assert.doesNotMatch(name, /_(?:ms|milliseconds|minutes|kb|mb|count|sum|bucket)(?:_|$)/, name)
    for (const { labels = {} } of metrics)
      for (const [label, value] of Object.entries(labels)) {
        assert.match(label, /^[a-z]+$/, name)
        assert.ok(value.length <= 80, `${name} ${label}`)
      }
  }
})

/** Part of the Debian package `prometheus`. No npm package checks more than whether the text can be parsed. */
const PROMTOOL = spawnSync('promtool', ['--version']).status === 0

test('promtool check metrics reports no problems', {
  skip: PROMTOOL ? false : 'promtool is not installed',
}, async () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: await scrape() })
  const said = `${stdout}${stderr}`.split('\n').filter((line) => !/^(nodejs|process)_|^$/.test(line))
  assert.deepEqual(said, [], `exit ${status}`)
})

test('alerts and the dashboard in deploy/ query only existing metrics', async () => {
  const there = new Set((parse(await scrape()) as Family[]).map(({ name }) => name))
  for (const file of ['prometheus/octavo.rules.yaml', 'grafana/octavo.json']) {
    const text = await readFile(join(DEPLOY, file), 'utf8')
    const asked = [...text.matchAll(/\b(?:octavo|nodejs|process)_[a-z0-9_]+(?=[{[)( ])/g)].map(([name]) =>
      name.replace(/_seconds_(?:count|sum|bucket)$/, '_seconds'),
    )
    assert.ok(asked.length > 10, file)
    assert.deepEqual(
      asked.filter((name) => !there.has(name)),
      [],
      file,
    )
  }
})

test('promtool test rules passes for the alert rules', {
  skip: PROMTOOL ? false : 'promtool is not installed',
}, () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'octavo.rules.test.yaml'], {
    cwd: join(DEPLOY, 'prometheus'),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
})

test('counters stay consistent when scraped under load, and every background loop reports its age', async () => {
  const over = new AbortController()
  const load = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) await node.client.listExports({ limit: 1 })
  })
  const { jobId } = await node.client.startExport({ domain: DOMAIN })
  const scrapes: string[] = []
  for (let n = 0; n < 15; n++) scrapes.push(await scrape())
  await node.finished(jobId)
  await scraped((text) =>
    LOOP_NAMES.every((loop) => figureOf(text, 'octavo_loop_age_seconds', { loop }) !== undefined),
  )
  over.abort()
  await Promise.all(load)
  let before = new Map<string, number>()
  for (const text of scrapes) {
    const now = countsOf(text)
    assert.ok(now.size > 20)
    for (const [name, count] of now) assert.ok(count >= (before.get(name) ?? 0), `${name} went back`)
    before = now
  }
  const text = await scrape()
  const sinceStart = (performance.now() - STARTED) / 1000
  for (const loop of LOOP_NAMES) {
    const age = figureOf(text, 'octavo_loop_age_seconds', { loop }) ?? Number.NaN
    assert.ok(age >= 0 && age <= sinceStart, `${loop}: ${age} s`)
  }
})

/**
 * Returns the values of Octavo's counters and histograms by series. Also checks that histogram buckets ascend, because
 * the parser merges them.
 */
function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const last = new Map<string, { count: number; le: number }>()
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', value] =
      /^(octavo_\w+_(?:total|bucket|count))\{(.*)\} (\S+)$/.exec(line) ?? []
    if (value === undefined) continue
    counts.set(`${name} ${labels}`, Number(value))
    if (!name.endsWith('_bucket')) continue
    const [bound = '', le] = /le="([^"]+)",?/.exec(labels) ?? []
    const series = `${name} ${labels.replace(bound, '')}`
    const bucket = { count: Number(value), le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) }
    const smaller = last.get(series) ?? { count: 0, le: Number.NEGATIVE_INFINITY }
    assert.ok(bucket.le > smaller.le && bucket.count >= smaller.count, line)
    last.set(series, bucket)
  }
  return counts
}

test('unknown paths and keys sent by callers do not create metric labels', async () => {
  const before = (await scrape()).split('\n').length
  for (let n = 0; n < 20; n++) {
    const word = `${n}-${'x'.repeat(500)}`
    await fetch(`${node.url}/${word}`)
    await fetch(`${node.url}/v1/static-export/${word}`, { headers: { authorization: `Bearer ${word}` } })
    await fetch(`${node.url}/openapi/${word}.json`)
  }
  const text = await scrape()
  assert.ok(!text.includes('xxxx'))
  const after = text.split('\n').length
  // A histogram has a line per bucket, here for three routes with one status each.
  assert.ok(after - before < 60, `${before} lines became ${after}`)
})

test('the metrics endpoint requires an allowed address or the metrics token', async () => {
  const ask = (headers: Record<string, string>) => fetch(`${node.url}/metrics`, { headers })
  assert.equal((await ask({})).status, 200)
  // A request forwarded by an untrusted proxy may come from any address.
  const refused = await ask({ 'x-forwarded-for': '127.0.0.1' })
  assert.equal(refused.status, 403)
  assert.match(((await refused.json()) as { error: string }).error, /OCTAVO_METRICS_FROM/)
  assert.equal((await ask({ 'x-forwarded-for': '203.0.113.7', authorization: 'Bearer no' })).status, 403)
  const shown = await ask({ 'x-forwarded-for': '203.0.113.7', authorization: `Bearer ${TOKEN}` })
  assert.equal(shown.status, 200)
  assert.match(shown.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
})

test('OCTAVO_METRICS_PORT opens a separate port that serves metrics but not the API', async () => {
  const port = await freePort()
  await using other = await startTestNode({
    OCTAVO_METRICS_PORT: String(port),
    OCTAVO_METRICS_FROM: 'none',
    OCTAVO_METRICS_TOKEN: TOKEN,
  })
  const ask = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const authorization = `Bearer ${TOKEN}`
  assert.match(await (await ask('/metrics', { authorization })).text(), /^octavo_queue_jobs\{/m)
  assert.equal((await ask('/healthz')).status, 200)
  assert.equal((await ask('/v1/webhooks', { authorization })).status, 404)
  for (const place of [`http://127.0.0.1:${port}`, other.url])
    assert.equal((await fetch(`${place}/metrics`)).status, 403)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('/readyz names each failing part and stays 200 when a part shared by all nodes fails', async () => {
  const ready = async () => {
    const response = await fetch(`${node.url}/readyz`)
    return { status: response.status, ...((await response.json()) as { parts: Record<string, string> }) }
  }
  const well = { database: 'ok', objects: 'ok', disk: 'ok', queue: 'ok', workers: 'ok' }
  assert.deepEqual((await ready()).parts, well)
  const objects = join(node.dataFolder, 'objects')
  await rename(objects, `${objects}-away`)
  try {
    await until(async () => (await ready()).parts.objects !== 'ok')
    const { status, parts } = await ready()
    assert.equal(status, 200)
    assert.deepEqual({ ...parts, objects: 'ok' }, well)
  } finally {
    await rename(`${objects}-away`, objects)
  }
  await until(async () => (await ready()).parts.objects === 'ok')
})

interface Family {
  name: string
  type: string
  help: string
  metrics: { labels?: Record<string, string> }[]
}

async function scrape(): Promise<string> {
  const response = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  assert.equal(response.status, 200)
  return response.text()
}

/** Polls, because the metrics of the worker arrive only every few seconds. */
const scraped = (isThere: (text: string) => boolean) =>
  until(async () => {
    const text = await scrape()
    return isThere(text) && text
  }, 'the figure')

/** Returns the value of the series that has at least these labels. */
function figureOf(text: string, name: string, wanted: Record<string, string>): number | undefined {
  const labels = Object.entries(wanted).map(([label, value]) => `${label}="${value}"`)
  const found = text
    .split('\n')
    .find((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
  return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')))
}
