/**
 * Writes a site of any number of pages that resembles real sites: tabs with groups of twelve pages, each page with
 * headings, prose, code, a table, links to its neighbors and one or two components. The same count produces the same
 * files.
 *
 *   node bench/many-pages.ts <folder> <pages>
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGES_OF_GROUP = 12
const GROUPS_OF_TAB = 40
const WORDS =
  'request answer token field cluster region backup version schema client server worker queue stream record index cursor label metric alert policy secret folder volume image layer module branch release window limit budget'.split(
    ' ',
  )

const [folder, count] = process.argv.slice(2)
if (!folder || !/^[1-9]\d*$/.test(count ?? '')) {
  console.error('usage: node bench/many-pages.ts <folder> <pages>')
  process.exit(2)
}
const total = Number(count)
const groups = Array.from({ length: Math.ceil(total / PAGES_OF_GROUP) }, (_, group) => ({
  group: titleOf(group),
  pages: Array.from({ length: Math.min(PAGES_OF_GROUP, total - group * PAGES_OF_GROUP) }, (_, place) =>
    pathOf(group * PAGES_OF_GROUP + place),
  ),
}))
const tabs = Array.from({ length: Math.ceil(groups.length / GROUPS_OF_TAB) }, (_, tab) => ({
  tab: `Part ${tab + 1}`,
  groups: groups.slice(tab * GROUPS_OF_TAB, (tab + 1) * GROUPS_OF_TAB),
}))
write(
  'docs.json',
  JSON.stringify(
    { theme: 'mint', name: 'Many', colors: { primary: '#0F766E' }, navigation: { tabs } },
    null,
    2,
  ),
)
write('snippets/note.mdx', 'Keep the token of a request out of logs.\n')
for (let page = 0; page < total; page++) write(`${pathOf(page)}.mdx`, pageText(page))

function write(path: string, text: string): void {
  mkdirSync(join(folder as string, path, '..'), { recursive: true })
  writeFileSync(join(folder as string, path), text)
}

function pathOf(page: number): string {
  const group = Math.floor(page / PAGES_OF_GROUP)
  return `part-${Math.floor(group / GROUPS_OF_TAB) + 1}/group-${group + 1}/page-${page + 1}`
}

function titleOf(seed: number): string {
  const words = wordsOf(seed, 3)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** Returns the same words for the same seed. */
function wordsOf(seed: number, length: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0
  const words = Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return WORDS[(state >>> 16) % WORDS.length]
  })
  return words.join(' ')
}

function pageText(page: number): string {
  const neighbour = (page + 1) % total
  const sections = Array.from({ length: 4 }, (_, section) => {
    const seed = page * 16 + section
    return `## ${titleOf(seed)}\n\n${wordsOf(seed + 1, 60)}. See [${titleOf(neighbour)}](/${pathOf(neighbour)}).\n\n- ${wordsOf(seed + 2, 8)}\n- ${wordsOf(seed + 3, 8)}\n`
  })
  return [
    `---\ntitle: "${titleOf(page)}"\ndescription: "${wordsOf(page + 7, 9)}"\n---\n`,
    page % 5 === 0 ? 'import Note from "/snippets/note.mdx"\n\n<Note />\n' : '',
    ...sections,
    `\`\`\`ts\nconst ${WORDS[page % WORDS.length]} = await fetch('/v1/records/${page}')\nconsole.log(await ${WORDS[page % WORDS.length]}.json())\n\`\`\`\n`,
    `| Field | Meaning |\n|---|---|\n| \`${WORDS[page % 7]}\` | ${wordsOf(page + 11, 6)} |\n| \`${WORDS[7 + (page % 7)]}\` | ${wordsOf(page + 13, 6)} |\n`,
    page % 3 === 0 ? `<Tip>${wordsOf(page + 17, 12)}</Tip>\n` : '',
    page % 7 === 0
      ? `<Steps>\n  <Step title="${titleOf(page + 19)}">${wordsOf(page + 19, 10)}</Step>\n  <Step title="${titleOf(page + 23)}">${wordsOf(page + 23, 10)}</Step>\n</Steps>\n`
      : '',
  ]
    .filter(Boolean)
    .join('\n')
}
