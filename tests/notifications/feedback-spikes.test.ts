import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { claimSpikeCheck, detectSpikes } from '../../src/features/notifications/feedback-spikes.ts'
import { addProject } from '../kit/accounts.ts'
import { type NotificationScene, openNotificationScene } from './notification-scene.ts'

const { signal } = new AbortController()

let scene: NotificationScene
before(async () => {
  scene = await openNotificationScene()
})
after(() => scene[Symbol.asyncDispose]())

/** Adds `perHour` entries to the last hour and to each of the `hours` before it. */
async function addFeedback(
  projectId: string,
  { perHour, hours, now, path = '/start' }: { perHour: number; hours: number; now: number; path?: string },
): Promise<void> {
  await scene.database.pool.query(
    `INSERT INTO feedback (id, project_id, source, path, helpful, created_at)
     SELECT 'fb_' || gen_random_uuid(), $1, 'contextual', CASE WHEN n % 5 = 0 THEN '/other' ELSE $5 END, false,
       now() - make_interval(hours => hour) - make_interval(mins => 30)
     FROM generate_series(0, $2::int) AS hour, generate_series(1, $3::int) AS n
     WHERE n <= CASE WHEN hour = 0 THEN $3 ELSE $4::int END`,
    [projectId, hours, Math.max(now, perHour), perHour, path],
  )
  await scene.database.pool.query(
    `DELETE FROM feedback WHERE ctid = ANY(ARRAY(SELECT ctid FROM feedback
       WHERE project_id = $1 AND created_at > now() - interval '1 hour' OFFSET $2))`,
    [projectId, now],
  )
}

async function addOne(name: string): Promise<string> {
  return (await addProject(scene.database, scene.organizationId, `${name}.example.com`)).id
}

async function spikesOf(projectId: string): Promise<unknown[]> {
  const { rows } = await scene.database.pool.query<{ facts: unknown }>(
    `SELECT facts FROM notification_events WHERE kind = 'feedback_spike' AND project_id = $1`,
    [projectId],
  )
  return rows.map(({ facts }) => facts)
}

test('notifies once a day when feedback reaches three times a busy hour, naming the main page', async () => {
  const calm = await addOne('calm')
  await addFeedback(calm, { perHour: 4, hours: 100, now: 11 })
  const busy = await addOne('busy')
  await addFeedback(busy, { perHour: 4, hours: 100, now: 12 })
  const young = await addOne('young')
  await addFeedback(young, { perHour: 1, hours: 20, now: 50 })
  const quiet = await addOne('quiet')
  await addFeedback(quiet, { perHour: 0, hours: 0, now: 9 })
  await Promise.all([detectSpikes(scene.database, signal), detectSpikes(scene.database, signal)])
  await detectSpikes(scene.database, signal)
  assert.deepEqual(await spikesOf(busy), [{ page: '/start', usual: 4, entries: 12 }])
  for (const projectId of [calm, young, quiet]) assert.deepEqual(await spikesOf(projectId), [])

  await scene.spread()
  const [line] = await scene.list(scene.people.editor)
  assert.equal(
    line?.text,
    '12 feedback entries arrived within an hour; a busy hour has 4; most are about /start',
  )
  assert.deepEqual(await scene.list(scene.people.viewer), [])

  await scene.database.pool.query(`UPDATE feedback_rates SET told_at = now() - interval '25 hours'`)
  await detectSpikes(scene.database, signal)
  assert.equal((await spikesOf(busy)).length, 2)
})

test('one worker claims each check, and again after the interval or when the clock was set back', async () => {
  const { queries } = scene.database
  const claim = async () => {
    const claims = await Promise.all([1, 2, 3].map(() => claimSpikeCheck(queries, 30_000)))
    return claims.filter(Boolean).length
  }
  assert.equal(await claim(), 1)
  assert.equal(await claim(), 0)
  for (const moved of ['- 31', '+ 31']) {
    await sql`UPDATE clock SET spikes_checked_at = now() + ${sql.raw(`interval '${moved} s'`)}`.execute(
      queries,
    )
    assert.equal(await claim(), 1)
  }
})
