/**
 * Kills two concurrent notification processes with SIGKILL at random moments. Each event is counted exactly once for
 * every person who may see it, and nobody else is notified.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultRounds, IS_WHOLE } from '../kit/whole-run.ts'
import { openNotificationScene } from '../notifications/notification-scene.ts'

const ROUNDS = faultRounds(2)
/** More than one batch. */
const EVENTS = IS_WHOLE ? 2000 : 500

async function startTelling(url: string): Promise<ChildProcess> {
  const child = fork(new URL('../notifications/spread-process.ts', import.meta.url), [url])
  await once(child, 'message')
  return child
}

async function killAtRandom(child: ChildProcess): Promise<void> {
  await sleep(Math.random() * 60)
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test(`killed processes lose and duplicate no notification, in ${ROUNDS} rounds of ${EVENTS} events`, async () => {
  await using scene = await openNotificationScene()
  const { pool } = scene.database
  for (let round = 1; round <= ROUNDS; round++) {
    await pool.query(
      `INSERT INTO notification_events (id, organization_id, project_id, kind, subject, facts)
       SELECT 'nev_' || lpad($3::text, 4, '0') || lpad(n::text, 22, '0'), $1, $2, 'domain_lost', n::text, '{"name": "a"}'
       FROM generate_series(1, $4::int) AS n`,
      [scene.organizationId, scene.projectId, String(round), EVENTS],
    )
    for (let left = EVENTS; left > 0; ) {
      const telling = await Promise.all([startTelling(scene.database.url), startTelling(scene.database.url)])
      await Promise.all(telling.map(killAtRandom))
      const { rows } = await pool.query('SELECT FROM notification_events WHERE NOT is_spread')
      left = rows.length
    }
    const { rows } = await pool.query<{ role: string; told: number }>(
      `SELECT role, sum(count)::int AS told FROM notifications JOIN members USING (organization_id, user_id)
       GROUP BY role ORDER BY role`,
    )
    assert.deepEqual(rows, [
      { role: 'admin', told: round * EVENTS },
      { role: 'owner', told: round * EVENTS },
    ])
  }
})
