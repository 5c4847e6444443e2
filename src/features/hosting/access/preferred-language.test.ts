import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredLanguage } from './preferred-language.ts'

const languages = ['en', 'fr', 'pt-BR', 'zh-Hans', 'zh-TW'].map((tag) => ({ tag, home: `/${tag}` }))
const preferred = (header: string) => preferredLanguage(header, languages)?.tag ?? 'default'

test('selects the most preferred language that is available', () => {
  assert.equal(preferred('fr'), 'fr')
  assert.equal(preferred('de, fr;q=0.4, en;q=0.3'), 'fr')
  assert.equal(preferred('en;q=0.3 , FR-ca ; q=0.9'), 'fr')
  assert.equal(preferred('en, fr'), 'default')
  assert.equal(preferred('*, fr;q=0.5'), 'default')
  assert.equal(preferred('pt-PT'), 'pt-BR')
})

test('matches Chinese by its script', () => {
  assert.equal(preferred('zh'), 'zh-Hans')
  assert.equal(preferred('zh-CN'), 'zh-Hans')
  assert.equal(preferred('zh-HK'), 'zh-TW')
  assert.equal(preferred('zh-Hant-TW'), 'zh-TW')
})

test('matches Norwegian under each of its codes', () => {
  for (const tag of ['no', 'nb', 'nb-NO'])
    for (const asked of ['no', 'nb-NO', 'nb', 'nn'])
      assert.equal(preferredLanguage(asked, [{ tag: 'en' }, { tag }])?.tag, tag)
})

test('falls back to the default for unwanted, unavailable or malformed languages', () => {
  for (const header of [
    '',
    'fr;q=0',
    'de',
    'fr;q=2',
    'fr;q=x',
    'f_r',
    ',,,',
    ';q=1',
    'fr-',
    `${'x'.repeat(1_000_000)},fr`,
  ])
    assert.equal(preferred(header), 'default', header.slice(0, 20))
  assert.equal(preferred(`${'de,'.repeat(40)}fr`), 'default')
})
