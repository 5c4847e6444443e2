import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { PROBLEM_TEXTS } from '../src/base/errors/finding-texts.ts'
import { messageName } from '../src/base/text/message-name.ts'
import { ownLanguageName } from '../src/base/text/own-language-name.ts'
import { catalogFaults, type Message, readMessages, WORDS_FOLDER } from './kit/dashboard-messages.ts'
import { root } from './kit/source-files.ts'

const { messages, faults } = readMessages()

test('every text of the dashboard passes through its messages', () => {
  assert.deepEqual(faults, [])
})

test('no two messages come to the same short name', () => {
  const names = new Map<string, string>()
  for (const { key } of messages) {
    const other = names.get(messageName(key))
    assert.ok(other === undefined || other === key, `${key} and ${other} come to the same name`)
    names.set(messageName(key), key)
  }
})

test('each problem that has words is found by some source', () => {
  const folders = ['src/site/**/*.ts', 'src/render/**/*.{ts,tsx}']
  const sources = globSync(folders, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  const unknown = Object.keys(PROBLEM_TEXTS).filter(
    (code) => !sources.some((text) => text.includes(`'${code}'`)),
  )
  assert.deepEqual(unknown, [])
})

const languages = globSync(`${WORDS_FOLDER}/*.json`, { cwd: root }).map((file) => basename(file, '.json'))

test('each file of words is of a language that says its own name', () => {
  assert.ok(languages.length > 3)
  assert.deepEqual(
    languages.filter((tag) => tag === 'en' || ownLanguageName(tag) === undefined),
    [],
  )
})

for (const language of languages)
  test(`the dashboard speaks ${language} whole: \`node scripts/dashboard-words.ts ${language}\``, () => {
    const catalog = JSON.parse(readFileSync(join(root, WORDS_FOLDER, `${language}.json`), 'utf8'))
    assert.deepEqual(catalogFaults(language, catalog, messages), [])
  })

const pages: Message = { key: '{count} pages of {site}', isPlural: true, place: '' }

test('a translation that lacks a message, a form or a value, or has one too many, is told', () => {
  const faultsOf = (catalog: object) => catalogFaults('de', catalog as Record<string, unknown>, [pages])
  assert.deepEqual(
    faultsOf({ [pages.key]: { one: 'eine Seite von {site}', other: '{count} Seiten von {site}' } }),
    [],
  )
  assert.equal(faultsOf({}).length, 1)
  assert.match(
    faultsOf({ [pages.key]: { other: '{count} Seiten von {site}' } })[0] ?? '',
    /not all of its forms/,
  )
  assert.match(
    faultsOf({ [pages.key]: { one: 'eine', other: '{count} von {site}' } })[0] ?? '',
    /lost \{site\}/,
  )
  assert.match(
    faultsOf({ [pages.key]: { one: '{site}', other: '{site} {name}' } })[0] ?? '',
    /has no \{name\}/,
  )
  assert.match(faultsOf({ old: 'alt' })[1] ?? '', /no message any more/)
})
