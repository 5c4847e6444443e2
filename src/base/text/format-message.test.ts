import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseForms, formatMessage } from './format-message.ts'

const PAGES = '{count, plural, one {# page} other {# pages}} of {site}'

test('a plural uses the form of its language and formats its number', () => {
  assert.equal(formatMessage(PAGES, { count: 1, site: 'docs' }), '1 page of docs')
  assert.equal(formatMessage(PAGES, { count: 0, site: 'docs' }), '0 pages of docs')
  const few = '{count, plural, one {# strona} few {# strony} other {# stron}}'
  assert.equal(formatMessage(few, { count: 3 }, { language: 'pl' }), '3 strony')
  const number = (value: number) => `<${value}>`
  assert.equal(formatMessage(PAGES, { count: 5, site: 'x' }, { language: 'en', number }), '<5> pages of x')
})

test('a select uses the named form, or `other`', () => {
  const kinds = 'unknown {kind, select, query {parameter} other {field `{name}`}}.'
  assert.equal(formatMessage(kinds, { kind: 'query', name: 'a' }), 'unknown parameter.')
  assert.equal(formatMessage(kinds, { kind: 'body', name: 'a' }), 'unknown field `a`.')
})

test('values are inserted verbatim, and missing ones keep their placeholder', () => {
  assert.equal(
    formatMessage('{a} {b}', { a: '$& {b} {count, plural, other {#}}' }),
    '$& {b} {count, plural, other {#}} {b}',
  )
  assert.equal(chooseForms(PAGES, { count: 2 }), '2 pages of {site}')
})
