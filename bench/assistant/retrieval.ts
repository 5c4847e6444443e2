/**
 * Measures how often the right page is among the passages that a model receives, for questions made from headings.
 *
 *   node bench/assistant/retrieval.ts <docs folder>... [--questions 200]
 *
 * The questions are spread evenly over the folders, and over the headings of each folder.
 */
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { findsPage, headingQuestions, keepFolder } from '../../tests/assistant/heading-questions.ts'
import { openTestDatabase } from '../../tests/kit/database.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { questions: { type: 'string', default: '200' } },
})
await using database = await openTestDatabase()
const each = Math.ceil(Number(values.questions) / positionals.length)
let asked = 0
let right = 0
for (const folder of positionals) {
  const name = basename(folder).replace(/\W/g, '') || 'site'
  const site = await keepFolder(database, folder, name)
  const all = headingQuestions(site.passages)
  const step = Math.max(1, all.length / each)
  const questions = Array.from(
    { length: Math.min(each, all.length) },
    (_, index) => all[Math.floor(index * step)],
  )
  let ofSite = 0
  const times: number[] = []
  for (const question of questions) {
    if (question === undefined) continue
    const since = performance.now()
    const { isFound, paths } = await findsPage(database, site, question)
    times.push(performance.now() - since)
    if (isFound) ofSite++
    else console.log(`  missed: ${question.text} → ${question.path}; found ${[...new Set(paths)].join(', ')}`)
  }
  times.sort((a, b) => a - b)
  asked += questions.length
  right += ofSite
  console.log(
    `${name}: ${ofSite} of ${questions.length}, ${site.passages.length} passages, ${all.length} headings, p50 ${times[times.length >> 1]?.toFixed(1)} ms, p95 ${times[Math.floor(times.length * 0.95)]?.toFixed(1)} ms`,
  )
}
console.log(`${right} of ${asked}: ${((100 * right) / asked).toFixed(1)} %`)
