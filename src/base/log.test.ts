import assert from 'node:assert/strict'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from './log.ts'

test('a field stands in a line once, whoever gave it last', () => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-log-'))
  const file = join(folder, 'log')
  const log = createLog('info', openSync(file, 'w'))
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

test('a log that cannot be written throws nothing, and says later what it held back', {
  skip: process.platform !== 'linux',
}, () => {
  const log = createLog('info', openSync('/dev/full', 'w'))
  for (let line = 0; line < 10; line++) log.info({ line }, 'no.room')
})
