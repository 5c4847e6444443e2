/**
 * Tests the first start: `npm start` in a fresh clone, an export over the API, and a stop by SIGTERM. Plain JavaScript
 * without dependencies, because nothing is installed yet.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

const READY_MS = 600_000
const EXPORT_MS = 300_000

const started = Date.now()
const npm = spawn('npm', ['start', '--silent', '--', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, PORT: '0', OCTAVO_LOG: 'warn' },
})
const ready = await firstLine(npm)
say(`ready after ${seconds(started)} s`)
await exportSite(ready)

const stopped = Date.now()
npm.kill('SIGTERM')
await once(npm, 'exit')
say(`ended after ${seconds(stopped)} s`)

async function firstLine(child) {
  const timer = setTimeout(() => child.kill(), READY_MS)
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  clearTimeout(timer)
  assert.ok(value, 'npm start ended without being ready')
  return JSON.parse(value)
}

/** Exports the site with the same requests as the curl commands that the terminal prints. */
async function exportSite({ url, domain, adminKey }) {
  const began = Date.now()
  const jobs = `${url}/v1/static-export/jobs`
  const { jobId } = await call(jobs, { method: 'POST', body: JSON.stringify({ domain }) })
  let job
  do {
    await sleep(500)
    job = await call(`${jobs}/${jobId}`)
    assert.ok(Date.now() - began < EXPORT_MS, `the export is still ${job.status}`)
  } while (job.status === 'queued' || job.status === 'running')
  assert.equal(job.status, 'completed', job.error)
  const { bundleUrl, sha256 } = await call(`${jobs}/${jobId}/bundle`, { method: 'POST' })
  const archive = Buffer.from(await (await fetch(bundleUrl)).arrayBuffer())
  assert.equal(createHash('sha256').update(archive).digest('hex'), sha256)
  assert.ok(gunzipSync(archive).includes('index.html'))
  say(`exported ${job.pageCount} pages, ${archive.length} bytes, after ${seconds(began)} s`)

  async function call(address, init = {}) {
    const headers = {
      Authorization: `Bearer ${adminKey}`,
      ...(init.body ? { 'Content-Type': 'application/json' } : {}),
    }
    const response = await fetch(address, { ...init, headers })
    const body = await response.json()
    assert.ok(response.ok, `${response.status} ${JSON.stringify(body)}`)
    return body
  }
}

function seconds(since) {
  return ((Date.now() - since) / 1000).toFixed(1)
}

function say(line) {
  process.stdout.write(`${line}\n`)
}
