import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPatternExample } from './pattern-example.ts'

const PATTERNS = [
  '^[A-Z]{2}-\\d{3}$',
  '^#(?:[0-9a-f]{3}){1,2}$',
  '^sha256:[a-f0-9]{64}$',
  '^\\d+\\.\\d+\\.\\d+$',
  '^(?:GET|POST)\\s/\\S*$',
  '^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$',
  '[^a0-9]+',
  '^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$',
  '^\\u0041\\x42\\t?$',
  '^[-_]?[\\]\\\\]$',
  'x|y',
  '',
]

test('creates a text that matches the pattern', () => {
  for (const pattern of PATTERNS) {
    const text = createPatternExample(pattern)
    assert.ok(text !== null && new RegExp(pattern).test(text), `${pattern}: ${text}`)
  }
})

test('repeats quantified parts to reach the requested length', () => {
  assert.equal(createPatternExample('^[a-z]+$', 5), 'aaaaa')
  assert.equal(createPatternExample('^[a-z]{2,9}$', 4), 'aaaa')
  assert.equal(createPatternExample('^abc$', 4), null)
})

test('returns null for lookaround, backreferences, invalid patterns and excessive length', () => {
  const left = [
    '^(?=.*x).*$',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(',
    '[a',
    'a)',
    '\\',
    '((a{999}){999}){999}',
  ]
  for (const pattern of [...left, '('.repeat(900), 'a'.repeat(2000)])
    assert.equal(createPatternExample(pattern), null)
})
