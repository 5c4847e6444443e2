import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { DETAIL_ERRORS, ERRORS, FIELD_ERRORS, JOB_ERRORS, PROBLEMS } from '../src/base/errors/catalogue.ts'
import { listErrorMessages } from '../src/base/errors/errors.ts'
import { formatError, type Params } from '../src/base/errors/format-error.ts'
import { ownLanguageName } from '../src/base/text/own-language-name.ts'
import { catalogFaults, localeFile, type Message, readMessages, SECTIONS } from './kit/locales.ts'
import { root } from './kit/source-files.ts'

test('every text of the dashboard goes through its message catalog', () => {
  assert.deepEqual(readMessages().faults, [])
})

test('every problem code is used in the sources', () => {
  const folders = ['src/site/**/*.ts', 'src/render/**/*.{ts,tsx}']
  const sources = globSync(folders, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  const unknown = Object.keys(PROBLEMS).filter((code) => !sources.some((text) => text.includes(`'${code}'`)))
  assert.deepEqual(unknown, [])
})

for (const [section, list] of Object.entries(SECTIONS)) {
  const messages = list()
  const languages = globSync(`*/${section}.json`, { cwd: join(root, 'locales') }).map(dirname)

  test(`every language of ${section} has a name in the runtime`, () => {
    assert.ok(languages.length >= (section === 'site' ? 29 : 4))
    assert.deepEqual(
      languages.filter((tag) => tag === 'en' || ownLanguageName(tag) === undefined),
      [],
    )
  })

  for (const language of languages)
    test(`${section} is complete in ${language}: \`node scripts/locales.ts ${language}\``, () => {
      const catalog = JSON.parse(readFileSync(localeFile(language, section), 'utf8'))
      assert.deepEqual(catalogFaults(language, catalog, messages), [])
    })
}

test('no error message is left in English in another language of the dashboard', () => {
  for (const language of ['de', 'es', 'fr', 'ja']) {
    const catalog: Record<string, string> = JSON.parse(readFileSync(localeFile(language, 'errors'), 'utf8'))
    const format = { language, expected: (code: string) => catalog[`expected.${code}`] }
    for (const [key, english] of Object.entries(listErrorMessages())) {
      const message = formatError(catalog[key] ?? english, exampleParams(english), format)
      assert.doesNotMatch(message, /\{\w/, `${language}: ${key} has a value that it cannot show`)
      assert.doesNotMatch(message.replace(/`[^`]*`|“[^”]*”/g, ''), ENGLISH, `${language}: ${key}`)
    }
  }
})

/** Words common in English messages; none of the four other languages has them in this form. */
const ENGLISH = /\b(?:the|is|not|of|with|cannot|must|this|that|been|your|from|should|needs)\b/i

/** Returns a value for each placeholder; `expected` and `text` get nested errors. */
function exampleParams(english: string): Params {
  const names = [...english.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name)
  const nested = [{ code: 'text_range', params: { min: 1, max: 9 } }, { code: 'null' }]
  return Object.fromEntries(names.map((name) => [name, /^(?:expected|text)$/.test(name) ? nested : 7]))
}

test('field errors and detail errors share no code', () => {
  assert.deepEqual(
    Object.keys(FIELD_ERRORS).filter((code) => Object.hasOwn(DETAIL_ERRORS, code)),
    [],
  )
})

test('every error code of the catalogue is used in the sources', () => {
  const sources = globSync(['src/**/*.{ts,tsx}', 'web/**/*.{ts,tsx}'], { cwd: root })
    .filter((file) => !/catalogue\.ts$|\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const codes = [ERRORS, FIELD_ERRORS, DETAIL_ERRORS, JOB_ERRORS].flatMap((table) => Object.keys(table))
  assert.deepEqual(
    codes.filter((code) => !sources.includes(`'${code}'`) && !new RegExp(`\\b${code}: `).test(sources)),
    [],
  )
})

const text = '{count} pages of {site}'
const pages: Message = { key: text, text, isPlural: true, place: '' }

test('a missing, obsolete or incomplete translation is reported', () => {
  const faultsOf = (catalog: object) => catalogFaults('de', catalog as Record<string, unknown>, [pages])
  const plural = (forms: string) => ({ [text]: `{count, plural, ${forms}}` })
  assert.deepEqual(faultsOf(plural('one {eine Seite von {site}} other {# Seiten von {site}}')), [])
  assert.deepEqual(faultsOf({ [text]: '{count, plural, one {Seite} other {# Seiten}} von {site}' }), [])
  const wrong: [object, RegExp][] = [
    [{}, /lacks/],
    [plural('other {# Seiten von {site}}'), /no form for `one`/],
    [plural('one {eine} other {# von {site}}'), /lost \{site\}/],
    [plural('one {{site}} other {{site} {name}}'), /has no \{name\}/],
    [{ [text]: '{count, plural, one {eine} von {site}' }, /has no \{count, plural/],
    [{ [text]: ' ' }, /is empty/],
    [{ old: 'alt' }, /no message any more/],
  ]
  for (const [catalog, report] of wrong) assert.match(faultsOf(catalog).join('\n'), report)
})
