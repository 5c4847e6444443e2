import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHostname } from './hostname.ts'

test('normalizes host names to one spelling', () => {
  const spellings: Record<string, string> = {
    'docs.example.com': 'docs.example.com',
    'Docs.EXAMPLE.com': 'docs.example.com',
    ' docs.example.com. ': 'docs.example.com',
    'bücher.example': 'xn--bcher-kva.example',
    'docs.localhost': 'docs.localhost',
    localhost: 'localhost',
    '4chan.example': '4chan.example',
  }
  for (const [text, hostname] of Object.entries(spellings))
    assert.deepEqual(parseHostname(text), { hostname })
})

test('rejects a URL, a path and a port, each with its own reason', () => {
  const reasons: Record<string, RegExp> = {
    'https://docs.example.com': /is a URL/,
    'HTTP://docs.example.com/guides': /is a URL/,
    'docs.example.com/guides': /has a path/,
    'docs.example.com/': /has a path/,
    'docs.example.com?x=1': /has a path/,
    'docs.example.com:4000': /has a port/,
  }
  for (const [text, reason] of Object.entries(reasons)) {
    const parsed = parseHostname(text)
    assert.ok('problem' in parsed, text)
    assert.match(parsed.problem.message, reason)
  }
})

test('rejects text that cannot be a host name', () => {
  const wrong = [
    '',
    '.',
    'a..b',
    '-a.example',
    'a-.example',
    'a b.example',
    '*.example.com',
    'a_b.example',
    '127.0.0.1',
    '[::1]',
    '::1',
    'user@docs.example.com',
    'docs.exam\nple.com',
    'docs.%65xample.com',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}example`,
  ]
  for (const text of wrong) assert.ok('problem' in parseHostname(text), text)
})
