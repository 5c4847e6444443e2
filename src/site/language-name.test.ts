import assert from 'node:assert/strict'
import test from 'node:test'
import { languageName } from './language-name.ts'

test('returns the native name of a language', () => {
  const names = {
    de: 'Deutsch',
    es: 'Español',
    'pt-br': 'Português (Brasil)',
    zh: '简体中文',
    cn: '简体中文',
    el: 'Ελληνικά',
  }
  for (const [code, name] of Object.entries(names)) assert.equal(languageName(code), name)
})

test('returns the code when it is not a known language', () => {
  for (const code of ['xx', 'ja_jp', 'de-x', 'constructor', '__proto__', ''])
    assert.equal(languageName(code), code)
})
