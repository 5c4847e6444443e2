import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rootPath } from './root-path.ts'

test('each language gets a search file path that stays unique on case-insensitive file systems', () => {
  assert.equal(rootPath('en'), '_octavo/search-en.js')
  const codes = ['pt-br', 'pt-BR', 'PT-BR', 'pt_BR', 'pt/BR', '../x', 'a.b', '', '_2e', '.']
  const paths = codes.map((code) => rootPath(code).toLowerCase())
  assert.equal(new Set(paths).size, codes.length)
  for (const path of paths) assert.match(path, /^_octavo\/search-[\w-]*\.js$/)
})
