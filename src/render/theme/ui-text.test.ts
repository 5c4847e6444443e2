import assert from 'node:assert/strict'
import test from 'node:test'
import { direction, ENGLISH, languageTag, uiText } from './ui-text.ts'
import { ACTIONS } from './ui-words-actions.ts'
import { API_WORDS } from './ui-words-api.ts'
import { COMPONENT_WORDS } from './ui-words-components.ts'
import { FEEDBACK_LATIN } from './ui-words-feedback-latin.ts'
import { FEEDBACK_OTHER } from './ui-words-feedback-other.ts'
import { LATIN } from './ui-words-latin.ts'
import { OTHER } from './ui-words-other.ts'

test('a language without words of its own reads English', () => {
  assert.deepEqual(uiText('xx'), ENGLISH)
})

test('regions fall back to their language, traditional Chinese has its own words', () => {
  assert.equal(uiText('pt-BR').search, uiText('pt').search)
  assert.notEqual(uiText('zh-TW').search, uiText('zh').search)
  assert.equal(uiText('cn').search, uiText('zh').search)
})

test('old codes become language tags and scripts have their direction', () => {
  assert.equal(languageTag('jp'), 'ja')
  assert.equal(languageTag('cn'), 'zh-CN')
  assert.equal(direction('ar'), 'rtl')
  assert.equal(direction('he-IL'), 'rtl')
  assert.equal(direction('de'), 'ltr')
})

test('every language has words for everything', () => {
  const languages = [...Object.keys(LATIN), ...Object.keys(OTHER)]
  for (const language of languages) {
    const words = {
      ...LATIN[language],
      ...OTHER[language],
      ...ACTIONS[language],
      ...FEEDBACK_LATIN[language],
      ...FEEDBACK_OTHER[language],
      ...COMPONENT_WORDS[language],
      ...API_WORDS[language],
    }
    assert.deepEqual(Object.keys(words).sort(), Object.keys(ENGLISH).sort(), language)
  }
})
