import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import type { FeedbackEntry } from '../../feedback/operations/feedback.ts'
import { quoteFeedback } from './quote-readers.ts'

const entry = (more: object): FeedbackEntry =>
  ({
    id: 'fb_1',
    path: '/guides/x',
    comment: 'Wrong port',
    createdAt: null,
    source: 'contextual',
    status: 'pending',
    helpful: false,
    contact: 'reader@example.com',
    ...more,
  }) as FeedbackEntry

test('text cannot end its own quotation, not even with the marker of another one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const quoted = quoteUntrusted('heard', text)
      const again = quoteUntrusted('heard', quoted)
      for (const [whole, inner] of [
        [quoted, text],
        [again, quoted],
      ] as const) {
        const mark = /UNTRUSTED-[0-9a-f]{20}/.exec(whole)?.[0] ?? ''
        assert.ok(!inner.includes(mark))
        assert.equal(whole.split(`<<<${mark}\n`)[1], `${inner}\n${mark}>>>`)
      }
    }),
  )
})

test('quoted entries contain the feedback and leave out who wrote it', () => {
  const quoted = quoteFeedback([
    entry({}),
    entry({
      id: 'fb_2',
      source: 'code_snippet',
      code: 'run --port',
      filename: 'a.sh',
      comment: 'fails\u001b[2J',
    }),
  ])
  for (const part of [
    'Entry: fb_1',
    'Page: /guides/x',
    'Wrong port',
    'Found it helpful: no',
    'Code: run --port',
    'a.sh',
  ]) {
    assert.ok(quoted.includes(part), part)
  }
  assert.ok(!quoted.includes('example.com') && !quoted.includes('\u001b'))
})

test('truncates many and long entries and reports what is omitted', () => {
  const long = quoteFeedback([entry({ comment: 'x'.repeat(10_000) })])
  assert.match(long, /6000 more characters/)
  const many = quoteFeedback(Array.from({ length: 50 }, () => entry({ comment: 'x'.repeat(3900) })))
  assert.match(many, /3\d more entries are omitted/)
  assert.ok(many.length < 65_000)
})
