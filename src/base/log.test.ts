import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from './log.ts'

test('writes each field once, with the innermost value', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-log-'))
  const file = join(folder, 'log')
  const log = createLog('info', { fd: openSync(file, 'w') })
  const inner = log.child({ jobId: 'outer', part: 'queue' }).child({ jobId: 'inner' })
  inner.info({ jobId: 'own' }, 'job.ended')
  inner.debug({}, 'not.told')
  log.warn({}, 'plain')
  const [line = '', plain = '', rest] = readFileSync(file, 'utf8').split('\n')
  rmSync(folder, { recursive: true })
  assert.equal(rest, '')
  assert.equal(line.match(/"jobId"/g)?.length, 1)
  const { time, ...fields } = JSON.parse(line) as Record<string, unknown>
  assert.deepEqual(fields, { level: 'info', jobId: 'own', part: 'queue', event: 'job.ended' })
  assert.ok(Math.abs(Date.parse(String(time)) - Date.now()) < 60_000)
  assert.equal((JSON.parse(plain) as { event: string }).event, 'plain')
})

test('writes readable text instead of JSON with asText', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-log-'))
  const file = join(folder, 'log')
  const log = createLog('info', { fd: openSync(file, 'w'), asText: true })
  log.warn({ cause: 'it was ended', attempt: 2 }, 'database.connection_lost')
  log.error({ err: new Error('no room') }, 'process.failed')
  log.info({}, 'up')
  const text = readFileSync(file, 'utf8')
  rmSync(folder, { recursive: true })
  assert.match(
    text,
    /^Warning: database\.connection_lost \(cause: it was ended, attempt: 2\)\nError: process\.failed\nError: no room\n +at /,
  )
})

const MODULE = new URL('./log.ts', import.meta.url).href

/** Runs `code` in a process and returns the log events that it writes to standard error, in order. */
function eventsOf(code: string): string[] {
  const program = `import { createLog } from '${MODULE}'\nconst log = createLog('info')\n${code}`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  return stderr
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event)
}

test('lines keep their order, and the end of the process loses none', () => {
  const lines = `log.info({}, 'one'); log.warn({}, 'two'); log.info({}, 'three')`
  assert.deepEqual(eventsOf(lines), ['one', 'two', 'three'])
  assert.deepEqual(eventsOf(`${lines}; process.exit(1)`), ['one', 'two', 'three'])
  assert.deepEqual(
    eventsOf(`log.info({}, 'one'); log.error({}, 'two'); process.kill(process.pid, 'SIGKILL')`),
    ['one', 'two'],
  )
})

test('logging to a full device does not throw', {
  skip: process.platform !== 'linux',
}, () => {
  const log = createLog('info', { fd: openSync('/dev/full', 'w') })
  for (let line = 0; line < 10; line++) log.info({ line }, 'no.room')
})

test('a repeated failure is logged once and counted until the process ends', () => {
  const failures = `for (let n = 0; n < 500; n++) log.warn({ error: 'no route' }, n % 2 ? 'a.failed' : 'b.failed')
    log.error({ err: new Error('no route') }, 'c.failed')
    for (const jobId of ['one', 'two']) log.warn({ jobId, error: 'no route' }, 'job.failed')`
  assert.deepEqual(eventsOf(failures), ['b.failed', 'job.failed', 'job.failed', 'log.repeated'])
})
