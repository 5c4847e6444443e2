/**
 * A process of a test run, which takes one test file after another, so that modules stay loaded and warm and all files
 * share one browser. After some minutes it ends and the next process continues. OCTAVO_TEST_LANES is a folder with the
 * list of files; a process claims a file by creating a folder. Files marked as apart get their own process.
 *
 * The runner waits forever for a process, so handles left open by a test would block the whole run silently. A process
 * that is still alive some time after its last file prints its open handles and fails.
 */
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endLane } from './lane-end.ts'

const TURN_SECONDS = 240
const FILE_MS = 15 * 60_000 * Math.max(1, Number(process.env.OCTAVO_FAULT_ROUNDS ?? 1))
const END_MS = 2 * 60_000

interface Handle {
  constructor: { name: string }
  pid?: number
  spawnargs?: readonly string[]
  localPort?: number
  remotePort?: number
  address?(): unknown
  hasRef?(): boolean
}

const folder = process.env.OCTAVO_TEST_LANES ?? ''
const isLast = basename(process.argv[1] ?? '').startsWith('last-')
const files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as {
  file: string
  isApart: boolean
}[]
let started: Record<string, number> = {}
subscribe('tracing:child_process.spawn:end', (message) => {
  const { spawnargs } = (message as { process: ChildProcess }).process
  const names = spawnargs.filter((word) => !word.startsWith('-')).map((word) => basename(word))
  count(names[0] === 'node' ? (names.find((name) => /\.m?[jt]s$/.test(name)) ?? 'node') : (names[0] ?? ''))
})
subscribe('octavo:test-database', () => count('database'))

// Tests may wait for timers and sockets that do not keep the process alive.
const alive = setInterval(() => undefined, 60_000)
const ran: string[] = []
for (const [index, { file, isApart }] of files.entries()) {
  if (process.uptime() > TURN_SECONDS && !isLast) break
  if ((isApart && ran.length > 0) || !claim(String(index))) continue
  ran.push(file)
  const before = { ...seconds(), wall: process.uptime() }
  started = {}
  await test(file, { timeout: FILE_MS }, async () => {
    await import(pathToFileURL(file).href)
  })
  record(file, before)
  if (isApart) break
}
const before = { ...seconds(), wall: process.uptime() }
started = {}
await endLane()
record('(ends of processes)', before)
clearInterval(alive)
setTimeout(fail, END_MS).unref()

function claim(name: string): boolean {
  try {
    mkdirSync(join(folder, name))
    return true
  } catch {
    return false // another process has it
  }
}

function count(name: string): void {
  started[name] = (started[name] ?? 0) + 1
}

function record(file: string, since: { own: number; children: number; wall: number }): void {
  const { own, children } = seconds()
  const row = {
    file,
    own: own - since.own,
    children: children - since.children,
    wall: process.uptime() - since.wall,
    started,
  }
  appendFileSync(join(folder, 'times'), `${JSON.stringify(row)}\n`)
}

/** Returns CPU seconds. Child processes only count once they have ended, and only where `/proc` exists. */
function seconds(): { own: number; children: number } {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  let children = 0
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    children = (Number(fields[13]) + Number(fields[14])) / 100 // ticks
  } catch {
    // not Linux
  }
  return { own: (userCPUTime + systemCPUTime) / 1e6, children }
}

function fail(): void {
  const handles = (process as unknown as { _getActiveHandles(): Handle[] })._getActiveHandles()
  const resources = process.getActiveResourcesInfo().join(', ')
  process.stderr.write(
    `\nThe process of these files does not end:\n${ran.map((file) => `  ${file}\n`).join('')}It is kept by: ${resources}\n${handles.map(describe).join('')}`,
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
