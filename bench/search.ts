/**
 * Measures quality and speed of search on built sites. Queries are made from each site's own headings, sentences and
 * names, as readers would write them, correctly or with mistakes.
 *
 *   node bench/search.ts [--misses] [--queries <file>] <built site>...
 */
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { openBuiltSearch } from '../tests/kit/built-search.ts'
import { makeQueries, type SearchQuery } from '../tests/kit/search-queries.ts'

const { values, positionals } = parseArgs({
  options: {
    misses: { type: 'boolean' },
    queries: { type: 'string' },
    each: { type: 'string', default: '15' },
  },
  allowPositionals: true,
})
const made: Record<string, SearchQuery[]> = {}

for (const site of positionals) {
  for (const [language, search] of openBuiltSearch(site)) {
    const queries = makeQueries(search.texts, Number(values.each), 7)
    made[`${basename(site)} ${language}`] = queries
    const places = new Map<string, { all: number; first: number; five: number }>()
    const times: number[] = []
    const sizes: number[] = []
    for (const { kind, query, answers } of queries) {
      const fresh = search.reopen()
      const found = await fresh.find(query, null)
      sizes.push(fresh.takeLoaded().gzip)
      const start = performance.now()
      await fresh.find(`${query} `, null)
      times.push(performance.now() - start)
      const place = found.findIndex(({ href }) => answers.includes(href))
      for (const name of [kind, 'all']) {
        const counted = places.get(name) ?? { all: 0, first: 0, five: 0 }
        counted.all += 1
        if (place === 0) counted.first += 1
        if (place >= 0 && place < 5) counted.five += 1
        places.set(name, counted)
      }
      if (values.misses && place !== 0)
        console.log(
          place,
          kind,
          JSON.stringify(query),
          answers[0],
          '|',
          found
            .slice(0, 2)
            .map(({ href }) => href)
            .join(' '),
        )
    }
    const rank = (sorted: number[], share: number) =>
      sorted.sort((a, b) => a - b)[Math.floor(sorted.length * share)] ?? 0
    console.log(`${basename(site)} ${language}: ${search.root.pages} pages, ${queries.length} queries`)
    for (const [kind, { all, first, five }] of places) {
      const percent = (count: number) => `${Math.round((100 * count) / all)} %`.padStart(6)
      console.log(
        `  ${kind.padEnd(12)} ${String(all).padStart(4)}  first ${percent(first)}  first five ${percent(five)}`,
      )
    }
    console.log(
      `  again ms: p50 ${rank(times, 0.5).toFixed(1)} p95 ${rank(times, 0.95).toFixed(1)}; a query loads, gzip: p50 ${rank(sizes, 0.5)} most ${rank(sizes, 1 - 1e-9)}`,
    )
  }
}
if (values.queries) writeFileSync(values.queries, JSON.stringify(made))
