/** Tests which attempts of an export count, by updating its row as a worker does. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { EXPORT_WORK, exportRows } from '../../src/features/export/store.ts'
import { attemptPosition } from '../../src/queue/count-attempts.ts'
import { endAttempt, handOver, writeProgress } from '../../src/queue/work-row.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { smallSite } from '../kit/site.ts'

const bound = (error: string) => ({ error, code: 'bound_passed' as const })

describe('counting the attempts of an export', () => {
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
  /** Returns how many attempts have ended at the furthest position, not counting this one. */
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

  test('three attempts lost at the same position count as three', async () => {
    assert.deepEqual(await counts([1, 2, 3], [1, 2, 3], [1, 2, 3]), [0, 1, 2, 3])
  })

  test('an attempt that exceeded a limit counts, however far it got', async () => {
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

  test('progress written after an attempt has ended does not count it again', async () => {
    await claim()
    await reach(1)
    await endAttempt(exportRows, queries(), { id, attempt }, null)
    await reach(1)
    assert.equal(await claim(), 1)
    await handOver(exportRows, queries(), { id, attempt })
    await reach(1)
    assert.equal(await claim(), 1)
  })

  test('attempts lost before any progress count too', async () => {
    assert.deepEqual(await counts([], [], []), [0, 1, 2, 3])
  })

  test('an attempt that got further than all before restarts the count', async () => {
    assert.deepEqual(await counts([1, 2], [1, 2], [1, 2, 3], [3], [3]), [0, 1, 2, 1, 2, 3])
  })

  test('an attempt lost before the furthest position does not change the count', async () => {
    assert.deepEqual(await counts([1, 5], [1], [], [4], [5], [5]), [0, 1, 1, 1, 1, 2, 3])
  })

  test('an attempt that stayed longer or shorter at the furthest position does not change the count', async () => {
    const stay = async (seconds: number) => {
      const stalled = await claim()
      await writeProgress(EXPORT_WORK, queries(), { id, attempt }, null, attemptPosition(5, seconds))
      return stalled
    }
    const found: number[] = []
    for (const seconds of [2, 4, 3, 4, 9, 4, 9]) found.push(await stay(seconds))
    assert.deepEqual([...found, await claim()], [0, 1, 1, 1, 2, 2, 2, 3])
  })

  test('an attempt that ended with an error counts at any position, unless it got further', async () => {
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

  test('an attempt ended by a server stop does not count, and one that lost its row ends nothing', async () => {
    await claim()
    await reach(5)
    await handOver(exportRows, queries(), { id, attempt })
    assert.equal(await claim(), 0)
    await reach(5)
    assert.equal(await endAttempt(exportRows, queries(), { id, attempt: attempt - 1 }, null), 0)
    assert.equal(await claim(), 1)
  })
})
