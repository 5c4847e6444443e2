/** The tools of a documentation site, in the order in which they are listed. */
import { Type } from 'typebox'
import { encodePath } from '../../render/html/encode-path.ts'
import type { ListedPage } from '../../render/outputs/page-list.ts'
import { FEEDBACK_LENGTHS } from '../feedback/operations/feedback-lengths.ts'
import { findSection } from './markdown-sections.ts'
import { normalizeRoute, pageAfterCursor, requirePage, textPart } from './page-lookup.ts'
import { SearchTooLargeError } from './site-search.ts'
import { type DocsToolContext, defineTool, type Tool, ToolFault } from './tool.ts'

const MAX_QUERY_CHARACTERS = 400
const MAX_PATH_CHARACTERS = 500
/** Maximum characters of a page returned at once. */
const PAGE_PART_CHARACTERS = 40_000

const strict = { additionalProperties: false }
const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })
const language = Type.Optional(
  text(40, 'Language code such as `en`. Default: the first language of the site; list_pages names them.'),
)
const version = Type.Optional(text(300, 'Label of a version; list_pages names them. Pages of it come first.'))
const cursor = Type.Optional(text(1000, '`nextCursor` of the answer before.'))
const count = (maxCount: number, defaultValue: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxCount,
      description: `How many at most. Default: ${defaultValue}.`,
    }),
  )

const searchDocs = defineTool({
  name: 'search_docs',
  title: 'Search the documentation',
  description:
    'Finds pages by words, as the search of the site does. Answers paths with the passages that fit; read one with read_page.',
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
    const none = `Nothing was found for these words in ${code}. Try others, or look through list_pages.`
    return { text: lines.join('\n') || none, structured: { language: code, results } }
  },
})

const readPage = defineTool({
  name: 'read_page',
  title: 'Read a page',
  description: 'Gives a page, or one section of it, as Markdown.',
  input: Type.Object(
    {
      path: text(MAX_PATH_CHARACTERS, 'Path of the page, such as `/guides/deploy`.'),
      section: Type.Optional(text(300, 'Heading or anchor: only this section and what lies below it.')),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Where to go on in a long page, in characters.' }),
      ),
    },
    strict,
  ),
  async run(site, { path, section, offset = 0 }) {
    const page = requirePage(site, path)
    return { text: textPart(await partOf(site, page, section), offset, PAGE_PART_CHARACTERS) }
  },
})

const listPages = defineTool({
  name: 'list_pages',
  title: 'List pages',
  description: 'Lists the pages of the site in reading order, with their paths and what they are about.',
  input: Type.Object(
    {
      under: Type.Optional(text(MAX_PATH_CHARACTERS, 'Only pages below this path, such as `/guides`.')),
      language,
      version: Type.Optional(text(300, 'Only pages of this version, by its label.')),
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
      text: listText(lines, nextCursor, 'No page is like that. Call list_pages without arguments.'),
      structured: { language: code, languages: about.languages, pages: entries, nextCursor },
    }
  },
})

const listOperations = defineTool({
  name: 'list_operations',
  title: 'List API operations',
  description: 'Lists the operations of the APIs that the site describes; read one with read_operation.',
  input: Type.Object(
    {
      method: Type.Optional(text(20, 'Only operations of this method, such as `POST`.')),
      under: Type.Optional(
        text(MAX_PATH_CHARACTERS, 'Only operations whose path begins like this: `/v1/users`.'),
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
      text: listText(lines, nextCursor, 'This site describes no such operation.'),
      structured: { operations, nextCursor },
    }
  },
})

const readOperation = defineTool({
  name: 'read_operation',
  title: 'Read an API operation',
  description: 'Gives the page of an operation as Markdown: parameters, body, answers, examples.',
  input: Type.Object(
    {
      method: text(20, 'As list_operations names it: `POST`.'),
      path: text(MAX_PATH_CHARACTERS, 'As list_operations names it: `/v1/users/{id}`.'),
      offset: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Where to go on in a long page, in characters.' }),
      ),
    },
    strict,
  ),
  async run(site, { method, path, offset = 0 }) {
    const page = site.docs.pages.find(
      ({ operation }) => operation?.path === path && operation.method === method.toUpperCase(),
    )
    if (page === undefined)
      throw new ToolFault('There is no such operation. Take method and path from list_operations.')
    return { text: textPart(await partOf(site, page, undefined), offset, PAGE_PART_CHARACTERS) }
  },
})

const submitFeedback = defineTool({
  name: 'submit_feedback',
  title: 'Tell the authors about a page',
  description:
    'Sends the authors what is wrong, missing or unclear on a page. Say what you wanted to do and what the page should say; no personal data.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: Type.Object(
    {
      path: text(MAX_PATH_CHARACTERS, 'Path of the page, such as `/guides/deploy`.'),
      feedback: text(FEEDBACK_LENGTHS.agent, 'What the authors should know.'),
    },
    strict,
  ),
  async run(site, { path, feedback }) {
    if (site.submitFeedback === null) throw new ToolFault('This site takes no feedback.')
    const { id } = await site.submitFeedback({ path: requirePage(site, path).route, feedback })
    return { text: `The authors have it, as ${id}.`, structured: { id } }
  },
})

const READING_TOOLS = [searchDocs, readPage, listPages, listOperations, readOperation]

/** Includes the feedback tool only where feedback is accepted. */
export function listTools({
  submitFeedback: taken,
}: Pick<DocsToolContext, 'submitFeedback'>): readonly Tool[] {
  return taken === null ? READING_TOOLS : [...READING_TOOLS, submitFeedback]
}

/** Throws ToolFault. */
function languageOf({ docs }: DocsToolContext, requestedLanguage: string | undefined): string {
  const { languages } = docs.site
  if (requestedLanguage === undefined) return languages[0] ?? 'en'
  if (languages.includes(requestedLanguage)) return requestedLanguage
  throw new ToolFault(`The site has no pages in this language. It has: ${languages.slice(0, 50).join(', ')}.`)
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
