/**
 * Generates the same text for each generator: pages with headings, prose, links, a table and three code blocks each, in
 * sections of twenty. The same count produces the same files.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PAGES_OF_SECTION = 20
const WORDS =
  'request answer token field cluster region backup version schema client server worker queue stream record index cursor label metric alert policy secret folder volume image layer module branch release window limit budget'.split(
    ' ',
  )

export interface Page {
  section: number
  name: string
  title: string
  description: string
  /** Links to pages are written as `@/section/name`. */
  body: string
}

export function pagesOf(count: number): Page[] {
  return Array.from({ length: count }, (_, number) => pageOf(number, count))
}

function pageOf(number: number, count: number): Page {
  const next = (number + 7) % count
  const sections = Array.from({ length: 5 }, (_, part) => {
    const seed = number * 11 + part
    const link = `[${titleOf(next)}](@/${placeOf(next)})`
    return `## ${titleOf(seed)} ${part + 1}\n\n${words(seed, 70)}. See ${link} and \`${words(seed + 2, 1)}\`.\n\n- ${words(seed + 3, 9)}\n- **${words(seed + 4, 2)}** ${words(seed + 5, 7)}\n\n${part < 3 ? codeOf(seed) : ''}`
  })
  const table = `| Field | Meaning |\n|---|---|\n| \`${words(number, 1)}\` | ${words(number + 1, 6)} |\n| \`${words(number + 2, 1)}\` | ${words(number + 3, 6)} |\n`
  return {
    section: Math.floor(number / PAGES_OF_SECTION),
    name: `page-${number}`,
    title: `${titleOf(number)} ${number}`,
    description: words(number + 5, 10),
    body: [...sections, table].join('\n'),
  }
}

function codeOf(seed: number): string {
  const [a, b, c] = words(seed, 3).split(' ')
  const samples: [string, string][] = [
    [
      'ts',
      `import { ${a} } from './${b}'\n\n/** Reads the ${c}. */\nexport async function read${seed}(id: string, limit = ${seed % 90}): Promise<${cap(a)}[]> {\n  const found = await ${a}.find({ id, limit, tags: ['${b}', \`\${id}-${c}\`] })\n  if (found.length === 0) throw new Error('no ${c}')\n  return found.filter(({ ${b} }) => ${b} !== null)\n}`,
    ],
    [
      'json',
      `{\n  "${a}": { "id": ${seed}, "name": "${b} ${c}", "active": true },\n  "${b}": ["${c}", null, ${seed / 4}]\n}`,
    ],
    [
      'bash',
      `export ${cap(a).toUpperCase()}="${b}-${seed}"\ncurl -sS "https://api.example.com/v1/${a}/${seed}" \\\n  --header "Authorization: Bearer $TOKEN" | jq '.${b}[] | .${c}' > ${c}.json`,
    ],
    [
      'python',
      `import ${a}\n\n\nclass ${cap(b)}(${a}.Base):\n    """Keeps the ${c}."""\n\n    def get(self, key: str, default=${seed}) -> dict | None:\n        for row in self.rows[:${seed % 40}]:\n            if row["${c}"] == key and not row.get("${b}"):\n                return {**row, "n": f"{key!r}-{default}"}\n        return None`,
    ],
    [
      'yaml',
      `${a}:\n  ${b}: ${seed}\n  ${c}: "on"\n  list:\n    - name: ${b}\n      when: 2026-01-0${(seed % 9) + 1}`,
    ],
  ]
  const [language, code] = samples[seed % samples.length] as [string, string]
  return `\`\`\`${language}\n${code}\n\`\`\`\n`
}

export function sectionsOf(pages: readonly Page[]): Page[][] {
  const sections: Page[][] = []
  for (const page of pages) {
    const section = sections[page.section] ?? []
    section.push(page)
    sections[page.section] = section
  }
  return sections
}

export function textOf({ title, description, body }: Page, hrefOf: (path: string) => string): string {
  const linked = body.replaceAll(/@\/([\w/-]+)/g, (_, path: string) => hrefOf(path))
  return `---\ntitle: "${title}"\ndescription: "${description}"\n---\n\n${linked}`
}

export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Returns the path in the site, without extension. */
export function pathOf({ section, name }: Page): string {
  return `section-${section}/${name}`
}

function placeOf(number: number): string {
  return `section-${Math.floor(number / PAGES_OF_SECTION)}/page-${number}`
}

function titleOf(seed: number): string {
  return cap(words(seed, 3))
}

function cap(text = ''): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the same words for the same seed. */
function words(seed: number, length: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return WORDS[(state >>> 16) % WORDS.length]
  }).join(' ')
}
