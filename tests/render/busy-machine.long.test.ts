/** The output of a page must not depend on how little CPU time the machine gives it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBodyRenderer } from '../../src/render/bodies/body-renderer.ts'
import { requestOf } from '../kit/body-request.ts'
import { processTree } from '../kit/processes.ts'
import { patience } from '../kit/until.ts'

/** Takes a few tenths of a second of CPU time; page code is allowed one second. */
const WORK =
  'export const work = () => { let sum = 0; for (let n = 0; n < 6e7; n++) sum += n % 7; return sum }\n\nIt is {work()}.\n'
/** Milliseconds: a child alternately runs for `RUNS` and is stopped for `STANDS`. */
const RUNS = 1
const STANDS = 120

test('a render that gets little CPU time reports no problems and gives the same HTML', async (t) => {
  await using renderer = openBodyRenderer({ children: 1 })
  const render = async (source: string) =>
    (await renderer.render(requestOf(source, { file: 'busy.mdx' }), patience())).body
  await render('Its process is there.\n')
  const child = (await processTree(process.pid)).find(({ command }) => /render\/child\/main/.test(command))
  assert.ok(child)
  const known = await render(WORK)
  assert.deepEqual(known.problems, [])

  const rendering = render(WORK)
  let isDone = false
  const done = rendering.finally(() => {
    isDone = true
  })
  const started = performance.now()
  while (!isDone) {
    process.kill(child.pid, 'SIGSTOP')
    await sleep(STANDS)
    process.kill(child.pid, 'SIGCONT')
    await sleep(RUNS)
  }
  const starved = await done
  t.diagnostic(`${Math.round((performance.now() - started) / 1000)} s`)
  assert.deepEqual(starved.problems, [])
  assert.deepEqual(starved.html, known.html)
})
