import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGE_TAGS, uiText } from '../../../render/words/ui-text.ts'
import { selectEntranceLanguage } from './entrance-words.ts'

test('the entrance supports every page language', async () => {
  for (const tag of LANGUAGE_TAGS) {
    const spoken = selectEntranceLanguage(tag === 'zh-hant' ? 'zh-TW' : `${tag}-XX,${tag};q=0.9`)
    assert.equal(spoken.tag.toLowerCase(), tag)
    assert.equal(spoken.words, uiText(tag))
  }
})

test('the entrance uses the most preferred supported language, or English', async () => {
  assert.equal(selectEntranceLanguage('xx, de;q=0.5, fr;q=0.8').tag, 'fr')
  assert.equal(selectEntranceLanguage('xx').tag, 'en')
  assert.equal(selectEntranceLanguage(`${'a'.repeat(100_000)},de`).tag, 'en')
  assert.deepEqual(
    [selectEntranceLanguage('he').direction, (await selectEntranceLanguage('de')).direction],
    ['rtl', 'ltr'],
  )
})
