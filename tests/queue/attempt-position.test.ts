/** Which attempts of an export count: the moves of its row, as a worker makes them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { EXPORT_WORK, exportRows } from '../../src/features/export/store.ts'
import { attemptPosition } from '../../src/queue/count-attempts.ts'
import { endAttempt, handOver, writeProgress } from '../../src/queue/work-row.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { smallSite } from '../kit/site.ts'

const bound = (error: string) => ({ error, code: 'bound_passed' as const })

describe('attempts of an export', () => {
  let node: TestNode
  let id: string
  let attempt: number

  before(async () => {
    node = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: 'one secret for the nodes of this test' })
    await node.addSite('places.example.com', smallSite(1))
  })
  after(() => node[Symbol.asyncDispose]())
  beforeEach(async () => {
    id = (await node.client.startExport({ domain: 'places.example.com' })).jobId
    attempt = 0
  })

  const queries = () => node.node.context.database.queries
  /** Answers how many attempts have ended at the furthest place, this one left out. */
  const claim = async (): Promise<number> => {
    attempt += 1
    return (await exportRows.claim(queries(), { id, attempt }))?.stalled ?? -1
  }
  const reach = async (...steps: number[]) => {
    for (const step of steps) {
      const progress = { progress: 1, pageCount: 1, totalPages: 100 }
      assert.equal(
        await writeProgress(EXPORT_WORK, queries(), { id, attempt }, progress, attemptPosition(step)),
        true,
      )
    }
  }
  const counts = async (...attempts: number[][]): Promise<number[]> => {
    const found: number[] = []
    for (const places of attempts) {
      found.push(await claim())
      await reach(...places)
    }
    return [...found, await claim()]
  }

  test('three that are lost at the same place are three', async () => {
    assert.deepEqual(await counts([1, 2, 3], [1, 2, 3], [1, 2, 3]), [0, 1, 2, 3])
  })

  test('one that passed a bound counts, however far it came', async () => {
    for (const [step, stalled] of [
      [1, 1],
      [2, 2],
      [3, 3],
    ] as const) {
      await claim()
      await reach(step)
      assert.equal(
        await endAttempt(exportRows, queries(), { id, attempt }, bound('It needed too much memory.')),
        stalled,
      )
    }
  })

  test('a look at the row after the end of an attempt does not count it again', async () => {
    await claim()
    await reach(1)
    await endAttempt(exportRows, queries(), { id, attempt }, null)
    await reach(1)
    assert.equal(await claim(), 1)
    await handOver(exportRows, queries(), { id, attempt })
    await reach(1)
    assert.equal(await claim(), 1)
  })

  test('those that are lost before anything was done are counted too', async () => {
    assert.deepEqual(await counts([], [], []), [0, 1, 2, 3])
  })

  test('one that went further than all before begins the count anew', async () => {
    assert.deepEqual(await counts([1, 2], [1, 2], [1, 2, 3], [3], [3]), [0, 1, 2, 1, 2, 3])
  })

  test('one that was lost on the way to the furthest place tells nothing of it', async () => {
    assert.deepEqual(await counts([1, 5], [1], [], [4], [5], [5]), [0, 1, 1, 1, 1, 2, 3])
  })

  test('one that stayed at the furthest place for longer, or not so long, tells nothing of it', async () => {
    const stay = async (seconds: number) => {
      const stalled = await claim()
      await writeProgress(EXPORT_WORK, queries(), { id, attempt }, null, attemptPosition(5, seconds))
      return stalled
    }
    const found: number[] = []
    for (const seconds of [2, 4, 3, 4, 9, 4, 9]) found.push(await stay(seconds))
    assert.deepEqual([...found, await claim()], [0, 1, 1, 1, 2, 2, 2, 3])
  })

  test('one that ended by an error counts wherever it was, unless it went further', async () => {
    await claim()
    await reach(5)
    assert.equal(await endAttempt(exportRows, queries(), { id, attempt }, null), 1)
    assert.equal(await claim(), 1)
    await reach(2)
    assert.equal(await endAttempt(exportRows, queries(), { id, attempt }, bound('It is too large.')), 2)
    const { error, errorCode } = await node.client.getExport(id)
    assert.deepEqual({ error, errorCode }, { error: 'It is too large.', errorCode: 'bound_passed' })
    assert.equal(await claim(), 2)
    await reach(6)
    assert.equal(await endAttempt(exportRows, queries(), { id, attempt }, null), 1)
  })

  test('one whose server stops is none, and one that has lost its row ends nothing', async () => {
    await claim()
    await reach(5)
    await handOver(exportRows, queries(), { id, attempt })
    assert.equal(await claim(), 0)
    await reach(5)
    assert.equal(await endAttempt(exportRows, queries(), { id, attempt: attempt - 1 }, null), 0)
    assert.equal(await claim(), 1)
  })
})
