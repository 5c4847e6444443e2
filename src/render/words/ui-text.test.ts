import assert from 'node:assert/strict'
import test from 'node:test'
import { direction, ENGLISH, languageTag, uiText } from './ui-text.ts'

test('an unknown language falls back to English', () => {
  assert.deepEqual(uiText('xx'), ENGLISH)
})

test('every supported language code except English has its own texts', () => {
  const codes =
    'ar ca cn cs da de es fi fr fr-CA fr-ca he hi hu id it ja ja-JP ja-jp jp ko lv nl no pl pt pt-BR ro ru sv tr uk uz vi zh zh-CN zh-Hans zh-Hant zh-TW'
  for (const code of codes.split(' ')) {
    assert.notEqual(uiText(code), ENGLISH, code)
    assert.equal(new Intl.Locale(languageTag(code)).toString(), languageTag(code), 'a tag for `lang`')
  }
})

test('every Norwegian code uses the Norwegian texts and stays the language tag', () => {
  for (const code of ['no', 'nb', 'nb-NO', 'nn']) {
    assert.equal(uiText(code), uiText('no'))
    assert.equal(languageTag(code), code)
  }
  assert.equal(uiText('nbx'), ENGLISH)
})

test('regions fall back to their language and traditional Chinese has its own texts', () => {
  assert.equal(uiText('pt-BR').search, uiText('pt').search)
  assert.notEqual(uiText('zh-TW').search, uiText('zh').search)
  assert.equal(uiText('cn').search, uiText('zh').search)
})

test('legacy codes map to language tags and right-to-left scripts are recognized', () => {
  assert.equal(languageTag('jp'), 'ja')
  assert.equal(languageTag('cn'), 'zh-CN')
  assert.equal(direction('ar'), 'rtl')
  assert.equal(direction('he-IL'), 'rtl')
  assert.equal(direction('de'), 'ltr')
})

test('codes that are object property names or paths are treated as unknown languages', () => {
  for (const code of ['constructor', '__proto__', '', '../de', '.', 'de/../de']) {
    assert.deepEqual(uiText(code), ENGLISH)
    assert.equal(languageTag(code), code)
    assert.equal(direction(code), 'ltr')
  }
})
