import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProgramRunner, type ProgramRequest, runLimited } from '../../src/base/limited-program.ts'
import { until } from '../kit/until.ts'

const shell = (script: string, more: Partial<ProgramRequest> = {}): ProgramRequest => ({
  ...{ program: '/bin/sh', args: ['-c', script], limits: { isGroup: true }, cwd: '/', env: {} },
  ...{ timeoutMs: 60_000, maxOutputBytes: 1000, ...more },
})

const runText = async (script: string) => {
  const end = await runLimited(shell(script))
  assert.ok(end.kind === 'exited')
  return end.output.toString().trim()
}

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

test('programs run as children of a runner process, which exits with the last runner', async () => {
  assert.equal(await runText('echo $PPID'), String(process.pid))
  const [one, two] = [openProgramRunner(), openProgramRunner()]
  const runner = Number(await runText('echo $PPID'))
  assert.notEqual(runner, process.pid)
  one[Symbol.dispose]()
  assert.equal(await runText('echo $PPID'), String(runner))
  two[Symbol.dispose]()
  await until(() => isGone(runner))
  assert.equal(await runText('echo $PPID'), String(process.pid))
})

test('limits, failures and aborts behave the same with and without a runner process', async () => {
  for (const open of [() => null, openProgramRunner]) {
    using _runner = open()
    const ends = await Promise.all([
      runLimited(shell('cat; echo bad >&2; exit 3', { input: 'given' })),
      runLimited(shell('head -c 2000 /dev/zero; sleep 60')),
      runLimited(shell('sleep 60', { timeoutMs: 50 })),
      runLimited(shell('kill -9 $$')),
      runLimited({ ...shell(''), cwd: '/nowhere' }),
    ])
    assert.deepEqual(ends, [
      { kind: 'exited', code: 3, output: Buffer.from('given'), stderr: 'bad\n' },
      { kind: 'stopped', limit: 'output' },
      { kind: 'stopped', limit: 'time' },
      { kind: 'killed', signal: 'SIGKILL' },
      { kind: 'not_started', code: 'ENOENT' },
    ])
    const controller = new AbortController()
    const running = runLimited(shell('sleep 60'), controller.signal)
    controller.abort(new Error('enough'))
    await assert.rejects(running, { message: 'enough' })
    await assert.rejects(runLimited(shell('echo'), controller.signal), { message: 'enough' })
  }
})

test('when the runner process is killed, its programs die and later ones start in a new runner', async () => {
  using _runner = openProgramRunner()
  const runner = Number(await runText('echo $PPID'))
  const running = runLimited(shell('sleep 60'))
  process.kill(runner, 'SIGKILL')
  assert.deepEqual(await running, { kind: 'killed', signal: 'SIGKILL' })
  assert.notEqual(Number(await runText('echo $PPID')), runner)
})
