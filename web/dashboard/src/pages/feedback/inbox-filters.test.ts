import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFiltered, matchesFilters, parseFilters, serializeFilters, toQuery } from './inbox-filters.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')

const WORDED = 'contextual,code_snippet,agent'

test('without parameters the inbox shows open entries from sources with text', () => {
  assert.deepEqual(toQuery(parseFilters({}, NOW)), { status: 'pending,in_progress', sources: WORDED })
  assert.equal(isFiltered({ entry: 'fb_1', grouped: 'yes' }), false)
})

test('each filter in the URL maps to a filter of the API', () => {
  const filters = parseFilters(
    { status: 'resolved,pending', source: 'agent', path: '/a', from: '2026-11-01', to: '2026-11-03' },
    NOW,
  )
  assert.deepEqual(toQuery(filters), {
    status: 'pending,resolved',
    sources: 'agent',
    path: '/a',
    dateFrom: '2026-11-01',
    dateTo: '2026-11-04',
  })
})

test('all statuses and all sources send no filter, and some of them send one', () => {
  assert.deepEqual(toQuery(parseFilters({ status: 'any', source: 'any' }, NOW)), {})
  const all = { status: 'pending,in_progress,resolved,dismissed', source: `thumbs_only,${WORDED}` }
  assert.deepEqual(toQuery(parseFilters(all, NOW)), {})
  const some = parseFilters({ status: 'any', source: 'agent,contextual' }, NOW)
  assert.deepEqual(toQuery(some), { sources: 'contextual,agent' })
})

test('a period counts back from today', () => {
  assert.equal(parseFilters({ since: '1' }, NOW).from, '2026-11-21')
  assert.equal(parseFilters({ since: '7', from: '2020-01-01' }, NOW).from, '2026-11-15')
})

test('ignores invalid filter values', () => {
  const filters = parseFilters(
    { status: 'open', source: 'x', vote: 'maybe', since: '5', from: '2026-02-30', q: '  ' },
    NOW,
  )
  assert.deepEqual(toQuery(filters), { status: 'pending,in_progress' }, 'an unknown source is none')
  assert.equal(filters.q, null)
  assert.equal(filters.helpful, null)
  assert.equal(parseFilters({ from: '2026-11-05', to: '2026-11-01' }, NOW).to, null)
})

test('a saved view contains only the filters, always in the same order', () => {
  assert.equal(serializeFilters({ entry: 'fb_1', q: 'a b', status: 'pending' }), 'status=pending&q=a+b')
  assert.equal(serializeFilters({ grouped: 'yes', source: '' }), '')
})

test('a live entry matches only if every filter matches', () => {
  const entry = {
    id: 'fb_1',
    path: '/deploy',
    comment: 'The Region flag is missing',
    createdAt: '2026-11-20T10:00:00.000Z',
    status: 'pending',
    source: 'contextual',
    helpful: false,
    contact: null,
  } as const
  const found = (words: Record<string, string>) => matchesFilters(parseFilters(words, NOW), entry)
  assert.equal(found({}), true)
  assert.equal(found({ q: 'region', source: 'contextual', path: '/deploy', vote: 'down', since: '7' }), true)
  assert.equal(found({ to: '2026-11-20' }), true)
  for (const words of [
    { q: 'zone' },
    { source: 'agent' },
    { path: '/deploy/a' },
    { vote: 'up' },
    { since: '1' },
    { to: '2026-11-19' },
  ])
    assert.equal(found(words as Record<string, string>), false, JSON.stringify(words))
})
