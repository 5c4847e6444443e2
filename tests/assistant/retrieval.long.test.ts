import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestDatabase } from '../kit/database.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { findsPage, headingQuestions, keepFolder } from './heading-questions.ts'

const QUESTIONS = IS_WHOLE ? 60 : 20

test('questions derived from headings of our own docs find their page', async () => {
  await using database = await openTestDatabase()
  const docs = fileURLToPath(new URL('../../docs', import.meta.url))
  const site = await keepFolder(database, docs, 'docs')
  const all = headingQuestions(site.passages)
  const questions = Array.from({ length: QUESTIONS }, (_, index) => {
    return all[Math.floor((index * all.length) / QUESTIONS)]
  })
  const missed: string[] = []
  for (const question of questions)
    if (question && !(await findsPage(database, site, question)).isFound) missed.push(question.text)
  assert.ok(missed.length <= QUESTIONS * 0.05, `missed: ${missed.join('; ')}`)
})
