import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGE_TAGS, uiText } from '../../../render/words/ui-text.ts'
import { findEntranceWords } from './entrance-words.ts'

test('the entrance speaks every language of pages', async () => {
  for (const tag of LANGUAGE_TAGS) {
    const spoken = findEntranceWords(tag === 'zh-hant' ? 'zh-TW' : `${tag}-XX,${tag};q=0.9`)
    assert.equal(spoken.tag.toLowerCase(), tag)
    assert.equal(spoken.words, uiText(tag))
  }
})

test('the most wanted language counts; without one that is here it is English', async () => {
  assert.equal(findEntranceWords('xx, de;q=0.5, fr;q=0.8').tag, 'fr')
  assert.equal(findEntranceWords('xx').tag, 'en')
  assert.equal(findEntranceWords(`${'a'.repeat(100_000)},de`).tag, 'en')
  assert.deepEqual(
    [findEntranceWords('he').direction, (await findEntranceWords('de')).direction],
    ['rtl', 'ltr'],
  )
})
