import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { platform } from 'node:os'
import { test } from 'node:test'
import { isAlive, readProcessStart } from './process-state.ts'

const NO_SUCH_PROCESS = 4_194_305

test('a process counts as alive when it exists, whichever user owns it', () => {
  assert.ok(isAlive(process.pid))
  assert.ok(isAlive(1))
  assert.ok(!isAlive(NO_SUCH_PROCESS))
})

test('the start of a process is stable, and null for a process that does not exist', async () => {
  const start = await readProcessStart(process.pid)
  assert.ok(start)
  assert.equal(await readProcessStart(process.pid), start)
  assert.equal(await readProcessStart(NO_SUCH_PROCESS), null)
})

test('a zombie process counts as ended', async () => {
  // Other systems cannot detect zombies; there, process 1 reaps them.
  if (platform() !== 'linux') return
  // The child ends after the shell has been replaced by a program that never waits for it.
  const child = 'while [ "$(cat /proc/$PPID/comm)" = sh ]; do :; done'
  const shell = spawn('/bin/sh', ['-c', `sh -c '${child}' & echo $!; exec sleep 30`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [line] = await once(shell.stdout, 'data')
    const pid = Number(line)
    while ((await readProcessStart(pid)) !== null) await new Promise(setImmediate)
    assert.ok(isAlive(pid), 'its number is still taken')
  } finally {
    shell.kill('SIGKILL')
  }
})
