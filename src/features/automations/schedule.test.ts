import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schedule } from './operations/automation-triggers.ts'
import { cronFault, isTimeZone, nextTime } from './schedule.ts'

const next = (schedule: Omit<Schedule, 'kind'>, after: string) =>
  nextTime({ kind: 'schedule', ...schedule }, new Date(after)).toISOString()

test('an hourly schedule runs at its minute', () => {
  assert.equal(next({ every: 'hour', minute: 15 }, '2026-11-23T10:00:30.500Z'), '2026-11-23T10:15:00.000Z')
  assert.equal(next({ every: 'hour', minute: 15 }, '2026-11-23T10:15:00.000Z'), '2026-11-23T11:15:00.000Z')
  // Nepal is 5:45 ahead of UTC.
  const nepal = { every: 'hour', minute: 0, timeZone: 'Asia/Kathmandu' } as const
  assert.equal(next(nepal, '2026-11-23T10:00:00.000Z'), '2026-11-23T10:15:00.000Z')
})

test('a daily schedule runs at its hour in its time zone', () => {
  const berlin = { every: 'day', hour: 9, minute: 30, timeZone: 'Europe/Berlin' } as const
  assert.equal(next(berlin, '2026-11-23T08:00:00Z'), '2026-11-23T08:30:00.000Z')
  assert.equal(next(berlin, '2026-11-23T08:30:00Z'), '2026-11-24T08:30:00.000Z')
  assert.equal(next(berlin, '2026-07-01T08:00:00Z'), '2026-07-02T07:30:00.000Z')
  const honolulu = { every: 'day', hour: 22, timeZone: 'Pacific/Honolulu' } as const
  assert.equal(next(honolulu, '2026-11-23T07:00:00Z'), '2026-11-23T08:00:00.000Z')
})

test('a weekly schedule runs on its weekday', () => {
  const week = { every: 'week', weekday: 'monday', hour: 9 } as const
  assert.equal(next(week, '2026-11-23T08:59:59Z'), '2026-11-23T09:00:00.000Z')
  assert.equal(next(week, '2026-11-23T09:00:00Z'), '2026-11-30T09:00:00.000Z')
  assert.equal(next({ ...week, weekday: 'sunday' }, '2026-11-23T09:00:00Z'), '2026-11-29T09:00:00.000Z')
})

test('a time skipped by daylight saving runs after the gap, and a repeated time runs once', () => {
  const berlin = { every: 'day', hour: 2, minute: 30, timeZone: 'Europe/Berlin' } as const
  assert.equal(next(berlin, '2026-03-28T12:00:00Z'), '2026-03-29T01:30:00.000Z')
  assert.equal(next(berlin, '2026-03-29T01:30:00Z'), '2026-03-30T00:30:00.000Z')
  assert.equal(next(berlin, '2026-10-24T12:00:00Z'), '2026-10-25T00:30:00.000Z')
  assert.equal(next(berlin, '2026-10-25T00:30:00Z'), '2026-10-26T01:30:00.000Z')
})

test('a cron expression runs at its times in its time zone', () => {
  const berlin = { cron: '30 2 * * MON-FRI', timeZone: 'Europe/Berlin' } as const
  assert.equal(next(berlin, '2026-11-27T12:00:00Z'), '2026-11-30T01:30:00.000Z')
  assert.equal(next({ cron: '0 9 1 1,7 *' }, '2026-11-27T12:00:00Z'), '2027-01-01T09:00:00.000Z')
  assert.equal(next({ cron: '0 9 L * *' }, '2026-11-27T12:00:00Z'), '2026-11-30T09:00:00.000Z')
})

test('rejects cron expressions that are malformed, never match or match too often', () => {
  const faults: [string, ReturnType<typeof cronFault>][] = [
    ['0 9 * * 1-5', null],
    ['*/5 * * * *', null],
    ['0 9 29 2 *', null],
    ['', 'cron_form'],
    ['0 9 * *', 'cron_form'],
    ['0 0 9 * * *', 'cron_form'],
    ['@daily', 'cron_form'],
    ['H 9 * * *', 'cron_form'],
    ['0 9 * * * ; rm', 'cron_form'],
    ['60 9 * * *', 'cron_never'],
    ['0 9 * * NEVER', 'cron_never'],
    ['0 9 30 2 *', 'cron_never'],
    ['*/0 * * * *', 'cron_never'],
    ['* * * * *', 'cron_interval'],
    ['0,3 9 * * *', 'cron_interval'],
    ['1,1 9 * * *', 'cron_never'],
    ['59 23 1 * *', null],
    ['0,59 0,23 * * *', 'cron_interval'],
  ]
  for (const [cron, words] of faults) {
    assert.equal(cronFault(cron), words, cron)
  }
})

test('accepts only time zones that the runtime knows', () => {
  assert.ok(isTimeZone('Europe/Berlin'))
  assert.ok(!isTimeZone('Europe/Atlantis'))
})
