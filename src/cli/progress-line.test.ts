import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { bar, createProgressLine, formatCountBar } from './progress-line.ts'
import { formatDeploymentProgress, formatExportProgress } from './work-bars.ts'

test('a progress bar shows whole percentages from 0 to 100', () => {
  assert.equal(bar(0, 4), '[░░░░]   0 %')
  assert.equal(bar(62.9, 4), '[██░░]  62 %')
  assert.equal(bar(100, 4), '[████] 100 %')
  for (const [given, shown] of [
    [-3, 0],
    [500, 100],
    [Number.NaN, 0],
  ] as const)
    assert.ok(bar(given).endsWith(` ${shown} %`), String(given))
})

test('counts are whole numbers, and no total is shown until it is known', () => {
  assert.match(formatCountBar(12.7, 50, 'pages'), / 24 % {2}12 of 50 pages$/)
  assert.match(formatCountBar(3, null, 'pages'), / {3}0 % {2}3 pages$/)
})

test('writes whole lines to a terminal of zero columns', () => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns: 0 })
  createProgressLine(stream as unknown as NodeJS.WriteStream).update('17 of 261 pages')
  assert.equal(stream.read().toString(), '\r\x1b[2K17 of 261 pages')
})

test('names the stage of work that follows the last page', () => {
  const deployment = {
    pageCount: 50,
    totalPages: 50,
    stages: [{ name: 'waiting' }, { name: 'render' }] as const,
  }
  const export_ = { status: 'running', progress: 60, pageCount: 50, totalPages: 50 }
  for (const [shown, expected] of [
    [formatDeploymentProgress({ ...deployment, pageCount: 17 }), / 34 % {2}17 of 50 pages$/],
    [formatDeploymentProgress(deployment), / 100 % {2}50 pages rendered, writing the site …$/],
    [formatDeploymentProgress({ ...deployment, stages: [{ name: 'publish' }] }), /^Publishing …$/],
    [formatDeploymentProgress({ pageCount: 0, totalPages: null, stages: [] }), /^Waiting for a worker …$/],
    [formatExportProgress({ ...export_, status: 'queued' }), /^Waiting for a worker …$/],
    [formatExportProgress({ ...export_, pageCount: 17, progress: 15 }), / 15 % {2}17 of 50 pages$/],
    [formatExportProgress(export_), / 60 % {2}50 of 50 pages, writing the pages …$/],
    [formatExportProgress({ ...export_, progress: 90 }), / 90 % {2}50 of 50 pages, creating the archive …$/],
  ] as const)
    assert.match(shown, expected)
})

test('draws nothing when the stream is not a terminal', () => {
  const stream = new PassThrough()
  const line = createProgressLine(stream as unknown as NodeJS.WriteStream)
  line.update('text')
  line.end()
  assert.equal(stream.read(), null)
})
