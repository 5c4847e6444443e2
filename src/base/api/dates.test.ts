import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readMoment } from './dates.ts'

const iso = (text: string) => {
  const moment = readMoment(text)
  return moment === null ? null : new Date(moment).toISOString()
}

test('a date without a time is midnight UTC', () => {
  assert.equal(iso('2026-11-21'), '2026-11-21T00:00:00.000Z')
  assert.equal(iso('2024-02-29'), '2024-02-29T00:00:00.000Z')
  assert.equal(iso('0001-01-01'), '0001-01-01T00:00:00.000Z')
})

test('accepts every offset notation, and a time without an offset is UTC', () => {
  for (const text of [
    '2026-11-21T09:30:00Z',
    '2026-11-21t09:30:00z',
    '2026-11-21T09:30',
    '2026-11-21T10:30:00+01:00',
    '2026-11-21T10:30:00 01:00',
    '2026-11-21T10:30:00+0100',
    '2026-11-21T10:30+01',
    '2026-11-21T04:00:00-05:30',
    '2026-11-20T23:30:00.000-10:00',
  ])
    assert.equal(iso(text), '2026-11-21T09:30:00.000Z', text)
})

test('dates and times may be written without separators', () => {
  for (const text of ['20261121T093000Z', '20261121t0930', '20261121T103000,0+0100', '20261121T0930Z'])
    assert.equal(iso(text), '2026-11-21T09:30:00.000Z', text)
  assert.equal(iso('20261121'), '2026-11-21T00:00:00.000Z')
  assert.equal(iso('20261121T09'), '2026-11-21T09:00:00.000Z')
})

test('accepts ordinal dates and week dates', () => {
  for (const text of ['2026-325', '2026325', '2026-W47-6', '2026W476', '2026-w47-6'])
    assert.equal(iso(text), '2026-11-21T00:00:00.000Z', text)
  assert.equal(iso('2026-W47-6T09:30Z'), '2026-11-21T09:30:00.000Z')
  assert.equal(iso('2024-366'), '2024-12-31T00:00:00.000Z')
  // The first days of 2027 belong to week 53 of 2026.
  assert.equal(iso('2026-W53-7'), '2027-01-03T00:00:00.000Z')
  assert.equal(iso('2025-W01-1'), '2024-12-30T00:00:00.000Z')
})

test('24:00 is the end of its day', () => {
  assert.equal(iso('2026-11-21T24:00:00Z'), '2026-11-22T00:00:00.000Z')
  assert.equal(iso('2026-12-31T24:00'), '2027-01-01T00:00:00.000Z')
})

test('fractions finer than milliseconds are rounded up', () => {
  assert.equal(iso('2026-11-21T09:30:00.1Z'), '2026-11-21T09:30:00.100Z')
  assert.equal(iso('2026-11-21T09:30:00.1234Z'), '2026-11-21T09:30:00.124Z')
  assert.equal(iso('2026-11-21T09:30:00.999999Z'), '2026-11-21T09:30:01.000Z')
})

test('rejects malformed and nonexistent dates and times', () => {
  for (const text of [
    '2026-02-30',
    '2025-02-29',
    '2026-00-10',
    '2026-13-01',
    '2026-11-21T24:00:01Z',
    '2026-11-21T24:00:00.001Z',
    '2026-11-21T25:00Z',
    '2025-366',
    '2026-000',
    '2026-W00-1',
    '2025-W53-1',
    '2026-W47-8',
    '2026-W47',
    '202611-21',
    '2026-11-21T0930',
    '20261121T09:30',
    '2026-11-21T23:60:00Z',
    '2026-11-21T23:59:60Z',
    '2026-11-21T10:00:00+24:00',
    '2026-11',
    '2026',
    '21.11.2026',
    '2026-11-21T',
    '2026-11-21 09:30:00',
    ' 2026-11-21',
    '2026-11-21T09:30:00Z ',
    '1763717400000',
    '',
  ])
    assert.equal(readMoment(text), null, text)
})

test('reads every ISO timestamp as the moment it names', () => {
  const moments = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(fc.property(moments, (date) => readMoment(date.toISOString()) === date.getTime()))
})
