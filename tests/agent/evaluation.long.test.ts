/** Runs the evaluation from the command line with recorded conversations. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { TASKS } from '../../bench/agent/evaluation/tasks/all.ts'
import { sampleOf } from '../kit/whole-run.ts'

const RUN = 'bench/agent/evaluation/run.ts'
const evaluate = (...args: string[]) => promisify(execFile)(process.execPath, [RUN, ...args])

test('the recorded conversations of a sample of tasks pass their evaluation', async () => {
  const ids = sampleOf(
    TASKS.map(({ id }) => id),
    7,
  )
  const { stdout } = await evaluate('--task', ids.join(), '--json')
  const grades = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(
    grades.map(({ task, incorrect, excess, unchecked, swayed }) => [
      task,
      incorrect,
      excess,
      unchecked,
      swayed,
    ]),
    ids.map((id) => [id, [], [], [], []]),
  )
})

test('rejects an unknown task and lists the known ones', async () => {
  await assert.rejects(evaluate('--task', 'rename-everything'), (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 2)
    assert.match(error.stderr, /There is no task rename-everything\. There are: rename-command, /)
    return true
  })
})
