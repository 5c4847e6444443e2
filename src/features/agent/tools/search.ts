/** search: finds lines that contain a text, or pages on a subject. */
import { Type } from 'typebox'
import { findLines, type LineSearch } from '../code/find-lines.ts'
import { compileGlob, compilePattern, type LinePattern, PatternError } from '../code/line-pattern.ts'
import { searchPages } from '../edit/page-search.ts'
import { normalizePath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { fitLines, plural } from '../loop/result-text.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'

const PAGE = 60
const SECTIONS_PER_PAGE = 15

const Input = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 1000, description: 'What to look for.' }),
    mode: Type.Optional(
      Type.Enum(['text', 'regex', 'pages'], {
        description:
          'text (when left out): lines with exactly this text. regex: lines that match a regular expression, without lookaround and backreferences. pages: pages about these words, best first.',
      }),
    ),
    folder: Type.Optional(Type.String({ description: 'Only below this folder.' })),
    glob: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        description: 'Only in files like this, such as "**/*.mdx".',
      }),
    ),
    matchCase: Type.Optional(
      Type.Boolean({ description: 'Tell upper and lower case apart; text and regex only.' }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'How many results to pass over.' })),
  },
  { additionalProperties: false },
)

export const search = defineTool({
  name: 'search',
  description:
    'Searches the docs with your changes in them: lines with a text or a regular expression, with file and line; or, with mode pages, sections of pages ranked by what they are about.',
  input: Input,
  run: async (context, input) => {
    const prefix = prefixOf(input.folder ?? '')
    const isIn = fileFilter(prefix, input.glob)
    if (input.mode === 'pages') return await searchSections(context, input, isIn)
    const { query, mode, matchCase = false, offset = 0 } = input
    if (/[\r\n]/.test(query)) {
      throw new ToolRefusal('Lines are searched one at a time: look for a text without line breaks in it.')
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

function fileFilter(prefix: string, glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return (path) => path.startsWith(prefix)
  // `*.mdx` also means files in folders.
  const wanted = compileOrRefuse('glob', () => compileGlob(glob.includes('/') ? glob : `**/${glob}`))
  return (path) =>
    path.startsWith(prefix) && wanted.find(path.slice(prefix.length), { left: 5_000_000 }) !== null
}

function compileOrRefuse(what: string, compile: () => LinePattern): LinePattern {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new ToolRefusal(`The ${what} cannot be used. ${error.message}`)
  }
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
    return `No ${wanted.offset > 0 ? 'more ' : ''}lines found.${stop} With mode pages, other words for it may be found.`
  }
  const more = isMore || shown.length < lines.length ? `\n(More follow: ask again with offset ${end}.)` : ''
  return `Lines ${wanted.offset + 1} to ${end} of those found:\n${shown.join('\n')}${more}${stop}`
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
  const end = offset + shown.length
  const more = end < found.length ? `\n(More follow: ask again with offset ${end}.)` : ''
  return `${plural(found.length, 'section')} found, best first:\n${shown.join('\n')}${more}`
}
