/**
 * Measures the time until the preview serves a saved page, in milliseconds.
 *
 *   node bench/dev-reload.ts <docs folder> [--rounds 20] [--kind text|title]
 *
 * Works on a copy of the folder. One page is open, as in a browser: it listens for events and reloads when notified.
 * Each round writes a new word into the page and waits for the response that contains it.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openFolderTree } from '../src/base/files/folder-tree.ts'
import { silentLog } from '../src/base/log.ts'
import { openPreview } from '../src/preview/open-preview.ts'
import { loadSite } from '../src/site/load-site.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '20' }, kind: { type: 'string', default: 'text' } },
})
const [source] = positionals
if (!source) {
  console.error('usage: node bench/dev-reload.ts <docs folder> [--rounds 20] [--kind text|title]')
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'octavo-dev-bench-'))
cpSync(source, folder, { recursive: true })
const surveyed = Promise.withResolvers<void>()
try {
  await using preview = await openPreview({
    folder,
    port: 0,
    more: 0,
    log: silentLog,
    report: (event) => event.kind === 'surveyed' && surveyed.resolve(),
  })
  const page = await middlePage()
  await (await fetch(preview.url + encodeURI(page.route))).text()
  await surveyed.promise
  const versions = listen(`${preview.url}/_octavo/preview/events?page=${encodeURIComponent(page.route)}`)
  await versions.next()
  const times: number[] = []
  const cpu = process.cpuUsage()
  for (let round = 0; round < Number(values.rounds); round++) {
    const word = `octavo${round}round`
    const text = readFileSync(page.path, 'utf8')
    const started = performance.now()
    writeFileSync(page.path, changed(text, word))
    await versions.next()
    const html = await (await fetch(preview.url + encodeURI(page.route))).text()
    if (!html.includes(word)) throw new Error('the page that was served is not the one that was saved')
    times.push(performance.now() - started)
  }
  const used = process.cpuUsage(cpu)
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0)
  console.log(`${page.count} pages, ${times.length} saves of ${page.route}`)
  console.log(
    `median ${at(0.5)} ms, nine of ten within ${at(0.9)} ms, longest ${times.at(-1)?.toFixed(0)} ms`,
  )
  console.log(
    `processor time of the server a save: ${((used.user + used.system) / 1000 / times.length).toFixed(0)} ms`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the page whose file has the median size. */
async function middlePage() {
  await using tree = await openFolderTree(folder)
  const site = await loadSite(tree)
  const size = (file: string | null) => (file === null ? 0 : (tree.files.get(file)?.sizeBytes ?? 0))
  const pages = [...site.pages.values()].filter(({ file }) => file?.endsWith('.mdx'))
  const sorted = pages.sort((a, b) => size(a.file) - size(b.file))
  const page = sorted[Math.floor(sorted.length / 2)]
  if (!page?.file) throw new Error('the site has no page')
  return { route: page.route, path: join(folder, page.file), count: site.pages.size }
}

function changed(text: string, word: string): string {
  return values.kind === 'title' ? text.replace(/^title:.*$/m, `title: "${word}"`) : `${text}\n${word}\n`
}

/** Yields each `version` event. */
async function* listen(url: string): AsyncGenerator<string> {
  const answer = await fetch(url)
  let rest = ''
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    rest += Buffer.from(chunk).toString()
    for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
      const event = rest.slice(0, end)
      rest = rest.slice(end + 2)
      if (event.startsWith('event: version')) yield event
    }
  }
}
