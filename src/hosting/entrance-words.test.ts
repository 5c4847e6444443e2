import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { entranceWords } from './entrance-words.ts'

test('every language of pages has each word, and names the host where English does', () => {
  const english = entranceWords('').words
  const files = readdirSync(new URL('../render/words/languages', import.meta.url))
  for (const tag of files.map((name) => name.replace('.ts', ''))) {
    const spoken = entranceWords(tag === 'zh-hant' ? 'zh-TW' : `${tag}-XX,${tag};q=0.9`)
    assert.equal(spoken.tag.toLowerCase(), tag)
    for (const [name, words] of Object.entries(english)) {
      const said = spoken.words[name as keyof typeof english]
      assert.ok(said, `${tag} ${name}`)
      assert.equal(said.includes('{host}'), words.includes('{host}'), `${tag} ${name}`)
      if (tag !== 'en' && !/^(?:password|Password)$/.test(name))
        assert.notEqual(said, words, `${tag} ${name}`)
    }
  }
})

test('the most wanted language counts; without one that is here it is English', () => {
  assert.equal(entranceWords('xx, de;q=0.5, fr;q=0.8').tag, 'fr')
  assert.equal(entranceWords('xx').tag, 'en')
  assert.equal(entranceWords(`${'a'.repeat(100_000)},de`).tag, 'en')
  assert.deepEqual([entranceWords('he').direction, entranceWords('de').direction], ['rtl', 'ltr'])
})
