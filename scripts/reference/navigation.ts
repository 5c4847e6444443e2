/** Generates lists of documentation pages and the component cards from the frontmatter of the pages. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFrontmatter } from '../../src/site/pages/frontmatter.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')

/** Sections of the page that lists all components, in order. */
const SECTIONS = ['Emphasis', 'Structure', 'Cards and pictures', 'Code and interfaces']

export function groupOf(group: string, folder: string): string {
  return `${JSON.stringify({ group, pages: pagesOf(folder) }, null, 2)}\n`
}

export function componentCards(): string {
  const pages = pagesOf('content/components').map((path) => ({ path, fields: fieldsOf(path) }))
  const lost = pages.filter(({ fields }) => !SECTIONS.includes(fields.section ?? ''))
  if (lost.length > 0)
    throw new Error(
      `${lost.map(({ path }) => path).join(', ')}: "section" must be one of ${SECTIONS.join(', ')}`,
    )
  return SECTIONS.map((name) => {
    const cards = pages.filter(({ fields }) => fields.section === name).map(card)
    return `## ${name}\n\n<Columns cols={3}>\n${cards.join('')}</Columns>\n`
  }).join('\n')
}

function card({ path, fields }: { path: string; fields: Record<string, string> }): string {
  const { title, sidebarTitle = title, icon, description } = fields
  return `  <Card title="${sidebarTitle}" icon="${icon}" href="/${path}" horizontal>${description}</Card>\n`
}

function pagesOf(folder: string): string[] {
  return globSync([`${folder}/*.mdx`, `${folder}/*.md`], { cwd: docs })
    .map((file) => file.replace(/\.mdx?$/, ''))
    .sort()
}

function fieldsOf(path: string): Record<string, string> {
  const file = `${path}.mdx`
  return parseFrontmatter([], file, readFileSync(join(docs, file), 'utf8')).fields as Record<string, string>
}
