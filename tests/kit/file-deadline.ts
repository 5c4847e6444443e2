/**
 * Imported before each test file. The runner waits without end for a file's process; what a test left open, or a cleanup
 * that never returns, would hold up the whole run and say nothing. Past the deadline the process says what keeps it and
 * fails. A file that fails is named in a list, for its tests may stand in a kit, which is the place that the runner knows.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const MINUTES = 15 * Math.max(1, Number(process.env.OCTAVO_FAULT_ROUNDS ?? 1))

interface Handle {
  constructor: { name: string }
  pid?: number
  spawnargs?: readonly string[]
  localPort?: number
  remotePort?: number
  address?(): unknown
  hasRef?(): boolean
}

const file = process.argv[1] ?? ''
if (isMainThread && process.env.NODE_TEST_CONTEXT?.startsWith('child') && file.endsWith('.test.ts')) {
  setTimeout(fail, MINUTES * 60_000).unref()
  process.on('exit', (code) => {
    if (code !== 0 && process.env.OCTAVO_TEST_FAILED)
      appendFileSync(process.env.OCTAVO_TEST_FAILED, `${file}\n`)
  })
}

function fail(): void {
  const handles = (process as unknown as { _getActiveHandles(): Handle[] })._getActiveHandles()
  const resources = process.getActiveResourcesInfo().join(', ')
  process.stderr.write(
    `\n${file} is not over after ${MINUTES} minutes. It is kept by: ${resources}\n${handles.map(describe).join('')}`,
  )
  process.exit(1)
}

function describe(handle: Handle): string {
  const child =
    handle.spawnargs === undefined ? '' : ` process ${handle.pid} ${handle.spawnargs.join(' ').slice(0, 200)}`
  const ports =
    handle.remotePort === undefined ? '' : ` from port ${handle.localPort} to ${handle.remotePort}`
  const address = typeof handle.address === 'function' ? ` ${JSON.stringify(handle.address())}` : ''
  return `  ${handle.constructor.name}${child}${ports}${address}${handle.hasRef?.() === false ? ' (does not hold)' : ''}\n`
}
