/** Converts blog posts to a changelog, newest first. */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { isPage, type PathAllocator } from '../imported-site.ts'
import { attribute } from '../markdown/tags.ts'
import type { Notes } from '../notes.ts'
import { extractTitle, readPage, type SourcePage } from '../page-file.ts'
import { asItems, asText } from '../values.ts'
import type { BlogPlugin } from './config.ts'
import { filesBelow, isPartial } from './docs.ts'

export interface Blog {
  title: string
  /** Path on the old site. */
  route: string
  /** Pages with their paths in the new folder, in the order of the posts. */
  pages: { target: string; posts: Post[] }[]
}

export interface Post {
  page: SourcePage
  title: string
  /** `2024-01-01`, used as the label; null if neither the file name nor the frontmatter has a date. */
  date: string | null
  /** Path on the old site. */
  route: string
}

/** Limits the size of a page, which contains the full text of its posts. */
const MAX_POSTS_PER_PAGE = 50
const DATED_NAME = /^(\d{4})[-/](\d{2})[-/](\d{2})[-/]?(.*?)(?:\/index)?$/

export async function readBlog(
  tree: FileTree,
  notes: Notes,
  plugin: BlogPlugin,
  allocatePath: PathAllocator,
): Promise<Blog[]> {
  const posts: Post[] = []
  for (const file of filesBelow(tree, plugin.path)) {
    const path = file.slice(plugin.path.length + 1)
    if (!isPage(path) || isPartial(path)) continue
    const page = readPage(notes, file, await readTextFile(tree, file))
    if (page.fields.draft === true || page.fields.unlisted === true)
      notes.add('page', file, 'The post is a draft or unlisted, so it is skipped.')
    else posts.push(readPost(page, path.replace(/\.\w+$/, ''), plugin))
  }
  if (posts.length === 0) return []
  posts.sort((a, b) => ((a.date ?? '') < (b.date ?? '') ? 1 : -1))
  notes.add(
    'page',
    plugin.path,
    `The ${posts.length} posts of the blog are now entries on /${plugin.route}. Their old URLs redirect there.`,
    'Author names are not shown. Add them to the posts if you need them.',
  )
  const pages: Blog['pages'] = []
  for (let at = 0; at < posts.length; at += MAX_POSTS_PER_PAGE) {
    const route = at === 0 ? plugin.route : `${plugin.route}/page-${pages.length + 1}`
    pages.push({
      target: allocatePath(plugin.path, route, false),
      posts: posts.slice(at, at + MAX_POSTS_PER_PAGE),
    })
  }
  return [{ title: plugin.title, route: `/${plugin.route}`, pages }]
}

function readPost(page: SourcePage, path: string, plugin: BlogPlugin): Post {
  const { fields } = page
  const [, year, month, day, name] = DATED_NAME.exec(path) ?? []
  const ofName = year === undefined ? null : `${year}-${month}-${day}`
  const written = fields.date instanceof Date ? fields.date.toISOString() : asText(fields.date)
  const date = /^\d{4}-\d{2}-\d{2}/.exec(written ?? '')?.[0] ?? ofName
  const heading = extractTitle(page.lines)?.title
  const rest = (name ?? path).replace(/\/index$/, '')
  const slug = asText(fields.slug) ?? (ofName === null ? rest : `${year}/${month}/${day}/${rest}`)
  return {
    page,
    title: asText(fields.title) ?? heading ?? posix.basename(rest),
    date,
    route: posix.join('/', plugin.route, slug),
  }
}

/** Joins the converted posts, with all imports at the top. */
export function blogBody(posts: readonly Post[], bodies: readonly string[]): string {
  const imports = new Set<string>()
  const entries = posts.map((post, index) => {
    const lines = (bodies[index] ?? '').split('\n').filter((line) => {
      if (/^\s*(?:<!--\s*truncate\s*-->|\{\/\*\s*truncate\s*\*\/\})\s*$/.test(line)) return false
      const isImport = /^import\s.*\sfrom\s+['"]\/snippets\//.test(line)
      if (isImport) imports.add(line)
      return !isImport
    })
    const tags = asItems(post.page.fields.tags).flatMap((tag) => asText(tag) ?? [])
    const tagList = tags.length > 0 ? ` tags={${JSON.stringify(tags)}}` : ''
    const feed = ` rss={{ title: ${JSON.stringify(post.title)} }}`
    const head = `<Update${attribute('label', post.date ?? post.title)}${attribute('description', post.title)}${tagList}${feed}>`
    return [head, '', lines.join('\n').trim(), '', '</Update>'].join('\n')
  })
  return [[...imports].join('\n'), ...entries].filter((part) => part !== '').join('\n\n')
}
