/** The tools of a documentation site, in listing order. */
import { Type } from 'typebox'
import { encodePath } from '../../render/html/encode-path.ts'
import type { ListedPage } from '../../render/outputs/page-list.ts'
import { FEEDBACK_LENGTHS } from '../feedback/operations/feedback-lengths.ts'
import { findSection } from './markdown-sections.ts'
import { normalizeRoute, pageAfterCursor, requirePage, slicePageText } from './page-lookup.ts'
import { SearchTooLargeError } from './site-search.ts'
import { type DocsToolContext, defineTool, type Tool, ToolFault } from './tool.ts'

const MAX_QUERY_CHARACTERS = 400
const MAX_PATH_CHARACTERS = 500
const PAGE_PART_CHARACTERS = 40_000

const strict = { additionalProperties: false }
const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })
const language = Type.Optional(
  text(
    40,
    'Language code such as `en`. Default: the first language of the site. list_pages returns all languages.',
  ),
)
const version = Type.Optional(
  text(300, 'Label of a version, as returned by list_pages. Pages of this version come first.'),
)
const cursor = Type.Optional(text(1000, '`nextCursor` of the previous response.'))
const count = (maxCount: number, defaultValue: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxCount,
      description: `Maximum number of results. Default: ${defaultValue}.`,
    }),
  )

const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search the documentation',
  description:
    'Searches the pages of the site. Returns paths with matching passages; read a page with read_page.',
  input: Type.Object(
    { query: text(MAX_QUERY_CHARACTERS, 'A few words, not a sentence.'), language, version },
    strict,
  ),
  async run(site, { query, language, version }) {
    const { docs } = site
    const code = languageOf(site, language)
    const found = await docs.search.find(query, code, version ?? null).catch((error: unknown) => {
      if (!(error instanceof SearchTooLargeError)) throw error
      throw new ToolFault('The index of this site cannot be searched at the moment. Use list_pages.')
    })
    const results = found.map(({ page, passages }) => ({
      ...reference(site, page),
      place: page.place,
      version: page.version,
      updated: page.updated ?? null,
      passages,
    }))
    const lines = results.map(({ path, title, passages }) => {
      const said = passages.map(({ heading, text }) => `  - ${heading ? `${heading}: ` : ''}${text}`)
      return [`- ${title} (${path})`, ...said].join('\n')
    })
    const none = `No results for these words in ${code}. Try other words, or use list_pages.`
    return { text: lines.join('\n') || none, structured: { language: code, results } }
  },
})

const readPage = defineTool({
  name: 'read_page',
  title: 'Read a page',
  description: 'Returns a page, or one section of it, as Markdown.',
  input: Type.Object(
    {
      path: text(MAX_PATH_CHARACTERS, 'Path of the page, such as `/guides/deploy`.'),
      section: Type.Optional(text(300, 'Heading or anchor: returns only this section and its subsections.')),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Character offset at which to continue in a long page.' }),
      ),
    },
    strict,
  ),
  async run(site, { path, section, offset = 0 }) {
    const page = requirePage(site, path)
    return { text: slicePageText(await partOf(site, page, section), offset, PAGE_PART_CHARACTERS) }
  },
})

const listPages = defineTool({
  name: 'list_pages',
  title: 'List pages',
  description: 'Lists the pages of the site in reading order, with their paths and descriptions.',
  input: Type.Object(
    {
      under: Type.Optional(text(MAX_PATH_CHARACTERS, 'Only pages below this path, such as `/guides`.')),
      language,
      version: Type.Optional(text(300, 'Only pages of the version with this label.')),
      limit: count(200, 100),
      cursor,
    },
    strict,
  ),
  async run(site, { under, language, version, limit = 100, cursor }) {
    const { pages, site: about } = site.docs
    const code = languageOf(site, language)
    const below = under === undefined ? '' : normalizeRoute(under).replace(/\/$/, '')
    const isWanted = (page: ListedPage) =>
      page.language === code &&
      (version === undefined || page.version === version) &&
      (page.route === below || page.route.startsWith(`${below}/`))
    const { shown, nextCursor } = pageAfterCursor(pages, cursor, limit, isWanted)
    const entries = shown.map((page) => ({
      ...reference(site, page),
      description: page.description,
      place: page.place,
      version: page.version,
    }))
    const lines = entries.map(({ path, title, description }) => formatLine(title, path, description))
    return {
      text: listText(lines, nextCursor, 'No page matches. Call list_pages without arguments.'),
      structured: { language: code, languages: about.languages, pages: entries, nextCursor },
    }
  },
})

const listOperations = defineTool({
  name: 'list_operations',
  title: 'List API operations',
  description: 'Lists the operations of the APIs documented on the site; read one with read_operation.',
  input: Type.Object(
    {
      method: Type.Optional(text(20, 'Only operations with this method, such as `POST`.')),
      under: Type.Optional(
        text(MAX_PATH_CHARACTERS, 'Only operations whose path begins with this text, such as `/v1/users`.'),
      ),
      limit: count(200, 100),
      cursor,
    },
    strict,
  ),
  async run(site, { method, under = '', limit = 100, cursor }) {
    const isWanted = ({ operation }: ListedPage) =>
      operation !== null &&
      (method === undefined || operation.method === method.toUpperCase()) &&
      operation.path.startsWith(under)
    const { shown, nextCursor } = pageAfterCursor(site.docs.pages, cursor, limit, isWanted)
    const operations = shown.map((page) => ({
      method: page.operation?.method ?? '',
      path: page.operation?.path ?? '',
      summary: page.operation?.summary ?? page.title,
      page: page.route,
    }))
    const lines = operations.map((one) => `- ${one.method} ${one.path}: ${one.summary} (${one.page})`)
    return {
      text: listText(lines, nextCursor, 'No operation documented on this site matches.'),
      structured: { operations, nextCursor },
    }
  },
})

const readOperation = defineTool({
  name: 'read_operation',
  title: 'Read an API operation',
  description: 'Returns the page of an operation as Markdown: parameters, body, responses, examples.',
  input: Type.Object(
    {
      method: text(20, 'Method as returned by list_operations, such as `POST`.'),
      path: text(MAX_PATH_CHARACTERS, 'Path as returned by list_operations, such as `/v1/users/{id}`.'),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Character offset at which to continue in a long page.' }),
      ),
    },
    strict,
  ),
  async run(site, { method, path, offset = 0 }) {
    const page = site.docs.pages.find(
      ({ operation }) => operation?.path === path && operation.method === method.toUpperCase(),
    )
    if (page === undefined)
      throw new ToolFault('There is no such operation. Use a method and path from list_operations.')
    return { text: slicePageText(await partOf(site, page, undefined), offset, PAGE_PART_CHARACTERS) }
  },
})

const submitFeedback = defineTool({
  name: 'submit_feedback',
  title: 'Tell the authors about a page',
  description:
    'Reports to the authors what is wrong, missing or unclear on a page. Include what you wanted to do and what the page should say, but no personal data.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: Type.Object(
    {
      path: text(MAX_PATH_CHARACTERS, 'Path of the page, such as `/guides/deploy`.'),
      feedback: text(FEEDBACK_LENGTHS.agent, 'What the authors should know.'),
    },
    strict,
  ),
  async run(site, { path, feedback }) {
    if (site.submitFeedback === null) throw new ToolFault('This site does not accept feedback.')
    const { id } = await site.submitFeedback({ path: requirePage(site, path).route, feedback })
    return { text: `The authors received your feedback. Its ID is ${id}.`, structured: { id } }
  },
})

const READING_TOOLS = [searchDocs, readPage, listPages, listOperations, readOperation]

export function listTools({
  submitFeedback: taken,
}: Pick<DocsToolContext, 'submitFeedback'>): readonly Tool[] {
  return taken === null ? READING_TOOLS : [...READING_TOOLS, submitFeedback]
}

function languageOf({ docs }: DocsToolContext, requestedLanguage: string | undefined): string {
  const { languages } = docs.site
  if (requestedLanguage === undefined) return languages[0] ?? 'en'
  if (languages.includes(requestedLanguage)) return requestedLanguage
  throw new ToolFault(
    `The site has no pages in this language. Available: ${languages.slice(0, 50).join(', ')}.`,
  )
}

function reference({ base }: DocsToolContext, page: ListedPage) {
  return { path: page.route, title: page.title, uri: base + encodePath(page.file) }
}

async function partOf(
  { docs }: DocsToolContext,
  page: ListedPage,
  section: string | undefined,
): Promise<string> {
  const whole = await docs.markdown(page)
  if (whole === null) throw new ToolFault('The text of this page cannot be read at the moment.')
  const part = section === undefined ? whole : findSection(whole, section)
  if (part === null)
    throw new ToolFault('The page has no such section. Read it without `section` to see its headings.')
  return part
}

function formatLine(title: string, path: string, about: string | null): string {
  return `- ${title} (${path})${about ? `: ${about}` : ''}`
}

function listText(lines: readonly string[], nextCursor: string | null, none: string): string {
  if (lines.length === 0) return none
  const more = nextCursor === null ? [] : [`There are more: call again with cursor ${nextCursor}`]
  return [...lines, ...more].join('\n')
}
