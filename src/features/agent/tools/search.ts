/** search: finds lines that contain a text, or pages about a subject. */
import { Type } from 'typebox'
import { findLines, type LineSearch } from '../code/find-lines.ts'
import { compileOrRefuse, compilePattern, fileFilter, type LinePattern } from '../code/line-pattern.ts'
import { searchPages } from '../edit/page-search.ts'
import { normalizePath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { fitLines, formatMoreNote, plural } from '../loop/result-text.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'

const PAGE = 60
const SECTIONS_PER_PAGE = 15

const Input = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 1000, description: 'Text or pattern to search for.' }),
    mode: Type.Optional(
      Type.Enum(['text', 'regex', 'pages'], {
        description:
          'text (default): lines that contain exactly this text. regex: lines that match a regular expression, without lookaround or backreferences. pages: pages about these words, best first.',
      }),
    ),
    folder: Type.Optional(Type.String({ description: 'Only in files below this folder.' })),
    glob: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'Only in files that match this pattern, such as "**/*.mdx".',
      }),
    ),
    matchCase: Type.Optional(Type.Boolean({ description: 'Case-sensitive search; text and regex only.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of results to skip.' })),
  },
  { additionalProperties: false },
)

export const search = defineTool({
  name: 'search',
  description:
    'Searches the docs including your changes: lines that contain a text or match a regular expression, with file and line; or, with mode pages, sections of pages ranked by relevance.',
  input: Input,
  run: async (context, input) => {
    const prefix = prefixOf(input.folder ?? '')
    const isIn = fileFilter(prefix, input.glob)
    if (input.mode === 'pages') return await searchSections(context, input, isIn)
    const { query, mode, matchCase = false, offset = 0 } = input
    if (/[\r\n]/.test(query)) {
      throw new ToolRefusal('Lines are searched one at a time. Search for a text without line breaks.')
    }
    const pattern = compileOrRefuse('pattern', () =>
      mode === 'regex'
        ? compilePattern(query, { ignoreCase: !matchCase })
        : literalPattern(query, !matchCase),
    )
    return await searchLines(context, { pattern, isIn, offset })
  },
})

function prefixOf(folder: string): string {
  const folderPath = normalizePath(folder)
  return folderPath === '' ? '' : `${folderPath}/`
}

function literalPattern(query: string, ignoreCase: boolean): LinePattern {
  const wanted = ignoreCase ? query.toLowerCase() : query
  return {
    find: (line, cost) => {
      cost.left -= 1
      const start = (ignoreCase ? line.toLowerCase() : line).indexOf(wanted)
      return start === -1 ? null : { start, end: start + wanted.length }
    },
  }
}

async function searchLines(
  context: ToolContext,
  wanted: Pick<LineSearch, 'pattern' | 'isIn' | 'offset'>,
): Promise<string> {
  const { tree } = context.workspace
  const { lines, isMore, stopped } = await findLines({ tree, limit: PAGE, ...wanted }, context.signal)
  const shown = fitLines(lines)
  const end = wanted.offset + shown.length
  const stop = stopped === null ? '' : `\n(${stopped} Search in one folder, or for something simpler.)`
  if (shown.length === 0) {
    return `No ${wanted.offset > 0 ? 'more ' : ''}lines found.${stop} Mode pages also finds similar wording.`
  }
  const more =
    isMore || shown.length < lines.length ? `\n(There is more: call again with offset ${end}.)` : ''
  return `Lines ${wanted.offset + 1} to ${end} of the results:\n${shown.join('\n')}${more}${stop}`
}

async function searchSections(
  context: ToolContext,
  { query, offset = 0 }: { query: string; offset?: number },
  isIn: (path: string) => boolean,
): Promise<string> {
  const found = (await searchPages(context.workspace, query, context.signal)).filter(({ file }) => isIn(file))
  if (found.length === 0) return `No page is about ${quotePath(query)}. Try other words, or mode text.`
  const part = found.slice(offset, offset + SECTIONS_PER_PAGE)
  const shown = fitLines(
    part.map(
      ({ file, line, title, heading, excerpt }) =>
        `${file}:${line}: ${[title, heading].filter(Boolean).join(' › ')}\n    ${excerpt}`,
    ),
  )
  const more = formatMoreNote(offset + shown.length, found.length)
  return `${plural(found.length, 'section')} found, best first:\n${shown.join('\n')}${more}`
}
