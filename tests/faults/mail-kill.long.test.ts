/**
 * Kills two concurrent mail senders with SIGKILL at random moments. Each notification is mailed, and duplicates have
 * the same Message-ID.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMailServer } from '../kit/mail-server.ts'
import { until } from '../kit/until.ts'
import { faultRounds } from '../kit/whole-run.ts'
import { openNotificationScene } from '../notifications/notification-scene.ts'

const ROUNDS = faultRounds(6)

test(`each notification is mailed under exactly one Message-ID after ${ROUNDS} rounds of kills`, async () => {
  await using server = await startMailServer()
  await using scene = await openNotificationScene()
  const { pool, url } = scene.database
  const start = async (): Promise<ChildProcess> => {
    const place = [url, String(server.port), server.caFile]
    const child = fork(new URL('../mail/mail-process.ts', import.meta.url), place)
    await once(child, 'message')
    return child
  }
  const hurry = () => pool.query(`UPDATE mails SET due_at = now() WHERE status = 'waiting'`)
  for (let round = 1; round <= ROUNDS; round++) {
    await pool.query('UPDATE notifications SET created_at = created_at - interval $$2 hours$$')
    await scene.tell({ kind: 'domain_lost', subject: `s${round}`, facts: { name: `n${round}.example.com` } })
    await scene.spread()
    const sending = await Promise.all([start(), start()])
    await hurry()
    for (const child of sending) {
      await sleep(Math.random() * 150)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await hurry()
  }
  const last = await start()
  await until(async () => {
    await hurry()
    const { rowCount } = await pool.query(
      `SELECT FROM notifications WHERE mail_pace = 'new' OR mail_pace = 'now' AND mail_id IS NULL
       UNION ALL SELECT FROM mails WHERE status = 'waiting'`,
    )
    return rowCount === 0
  }, 'the end of all mails')
  last.kill('SIGKILL')
  await once(last, 'exit')
  for (const role of ['owner', 'admin'] as const) {
    const mails = server.taken.filter(({ to }) => to.includes(`${role}@acme.example.com`))
    for (let round = 1; round <= ROUNDS; round++) {
      const holding = mails.filter(({ text }) => text.includes(` n${round}.example.com `))
      const ids = new Set(holding.map(({ headers }) => headers['message-id']))
      assert.equal(ids.size, 1, `${role} ${round}: ${holding.length} mails`)
    }
  }
})
