/**
 * Removes twoslash notation from code: its comments and the lines that they hide. Comments of TypeScript,
 * file names and error messages are preserved.
 */
import type { CodeMeta } from './code-meta.ts'

const LANGUAGES = ['ts', 'tsx', 'js', 'jsx', 'mts', 'cts', 'mjs', 'cjs', 'typescript', 'javascript']

/** Matches `// ^?`, `// ^|` and `// ^^^^ words`, which refer to the previous line. */
const POINTER = /^[ \t]*\/\/[ \t]*(?:\^[?|][ \t]*|\^{2,}[ \t]*)$/
const OPTION = /^[ \t]*\/\/[ \t]?@(\w+)(?::.*|[ \t]*)$/
const CUT_COMMENT = /^[ \t]*\/\/[ \t]?-{3,}cut(?:-(before|after|start|end))?-{3,}[ \t]*$/

/** Flags of twoslash, then of the compiler, in lower case. */
const OPTIONS = new Set(
  `errors noerrors noerrorscutted noerrorvalidation nostaticsemanticinfo keepnotations emit showemit showemittedfile
  allowjs checkjs strict target module moduleresolution lib jsx jsxfactory jsxfragmentfactory jsximportsource types
  esmoduleinterop allowsyntheticdefaultimports declaration isolatedmodules isolateddeclarations resolvejsonmodule
  noimplicitany noimplicitreturns noimplicitthis noimplicitoverride nouncheckedindexedaccess strictnullchecks
  strictfunctiontypes strictpropertyinitialization exactoptionalpropertytypes usedefineforclassfields skiplibcheck
  experimentaldecorators emitdecoratormetadata verbatimmodulesyntax nounusedlocals nounusedparameters noemit`.split(
    /\s+/,
  ),
)

type ReportProblem = (
  line: number | null,
  code: string,
  message: string,
  remedy: string,
  level: 'hint',
) => void

/** Returns a function that reports only the first block of a file. */
export function createTwoslashReporter(report: ReportProblem): (line: number | null) => void {
  let isNoted = false
  return (line) => {
    if (isNoted) return
    isNoted = true
    const message = 'Twoslash blocks are shown without types, compiler errors and Twoslash comments.'
    const remedy = 'No action is needed. Remove twoslash from a block to show all its lines.'
    report(line, 'code.twoslash', message, remedy, 'hint')
  }
}

export function isTwoslash({ twoslash, language }: CodeMeta): boolean {
  return twoslash && LANGUAGES.includes(language)
}

/** Returns the code unchanged if a cut is not closed or nothing would remain. */
export function withoutTwoslash(code: string): string {
  const shown: string[] = []
  let isCut = false
  for (const line of code.split('\n')) {
    const cut = CUT_COMMENT.exec(line)
    if (cut) {
      const [, kind = 'before'] = cut
      if (kind === 'after') break
      if (isCut !== (kind === 'end')) return code
      if (kind === 'before') shown.length = 0
      else isCut = kind === 'start'
    } else if (!isCut && !POINTER.test(line) && !isOption(line)) shown.push(line)
  }
  const first = shown.findIndex((line) => line.trim() !== '')
  const text = shown.slice(Math.max(0, first)).join('\n').trimEnd()
  return isCut || text === '' ? code : text
}

function isOption(line: string): boolean {
  const [, name = ''] = OPTION.exec(line) ?? []
  return OPTIONS.has(name.toLowerCase())
}
