/**
 * Lists the definitions in code files. Each line that looks like a definition in the file's language counts. There is
 * no parser, so unusual definitions are missed and text inside strings can be mistaken for definitions; the description
 * of the tool mentions this.
 */
import type { FileTree } from '../../../base/files/file-tree.ts'
import { findText, MAX_FILE_BYTES } from '../edit/change-files.ts'
import { existingPath, isShown, normalizePath, quotePath } from '../edit/paths.ts'
import { fitLines, plural } from '../loop/result-text.ts'
import { ToolRefusal } from '../loop/tool.ts'
import { fileFilter } from './line-pattern.ts'

export interface OutlineInput {
  path?: string
  folder?: string
  glob?: string
  name?: string
  offset?: number
}

interface Definition {
  line: number
  text: string
  name: string
}

const MAX_FILES = 2000
const MAX_BYTES = 32 << 20
const PAGE = 200
/** Longer lines are considered generated code. */
const MAX_LINE = 400
const MAX_SHOWN_LINE_CHARACTERS = 160

/** Each pattern captures the name; they are tried in order on trimmed lines. */
type Patterns = readonly RegExp[]
const C_LIKE: Patterns = [
  /^(?:(?:public|private|protected|internal|static|final|abstract|sealed|partial|open|data|async|virtual|override|unsafe|inline|constexpr|export|template) )*(?:class|interface|struct|enum|record|trait|object|namespace|protocol|extension|actor|union|typedef struct) (\w+)/,
  /^(?:(?:public|private|protected|internal|open|override|suspend|inline|static|mutating|async|final) )*(?:fun|func) (?:<[^>]{0,80}> ?)?([\w.]+) ?\(/,
  /^(?:(?:public|private|protected|internal|static|final|abstract|async|virtual|override|synchronized|extern|inline|constexpr|unsigned|const) )+[\w<>[\],.?*& ]{1,80}[ *&](\w+) ?\(/,
  /^[A-Za-z_][\w<>:*& ]{0,80}[ *&](\w+)\([^;]{0,200}\) ?(?:const )?\{?$/,
  /^#define (\w+)/,
]
const SCRIPT: Patterns = [
  /^(?:export )?(?:default )?(?:declare )?(?:async )?function\*? ?(\w+)/,
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:class|interface|enum|namespace|type) (\w+)/,
  /^export (?:declare )?(?:const|let|var) (\w+)/,
  /^(?:const|let|var) (\w+)(?:: [^=]{1,100})? = (?:async )?(?:function|\(|\w+ =>)/,
  /^(?:(?:public|private|protected|static|async|readonly|override|get|set) )*([\w$#]+)\([^)]{0,200}\)(?:: [^{]{1,100})? \{$/,
]
const PATTERNS_BY_ENDING: Readonly<Record<string, Patterns>> = {
  ts: SCRIPT,
  js: SCRIPT,
  py: [/^(?:async )?def (\w+)/, /^class (\w+)/, /^([A-Z][A-Z0-9_]+)(?:: ?[\w[\], .]{1,60})? ?= /],
  go: [/^func (?:\([^)]{0,100}\) ?)?(\w+)/, /^type (\w+)/, /^(?:const|var) (\w+)/],
  rs: [
    /^(?:pub(?:\([\w: ]{1,40}\))? )?(?:async |const |unsafe |extern "C" )*fn (\w+)/,
    /^(?:pub(?:\([\w: ]{1,40}\))? )?(?:struct|enum|trait|union|mod|type|static|const|macro_rules!) (\w+)/,
    /^impl(?:<[^>]{0,100}>)? ([\w:<>, ]{1,100})/,
  ],
  rb: [/^def (?:self\.)?([\w?!=]+)/, /^(?:class|module) ([\w:]+)/, /^([A-Z][A-Z0-9_]+) = /],
  php: [
    /^(?:(?:public|private|protected|static|final|abstract) )*function &?(\w+)/,
    /^(?:(?:final|abstract|readonly) )*(?:class|interface|trait|enum) (\w+)/,
    /^(?:public |private |protected )?const (\w+)/,
  ],
  sh: [/^(?:function )?([\w-]+) ?\(\)/, /^([A-Z][A-Z0-9_]+)=/],
  sql: [
    /^create (?:or replace )?(?:unique )?(?:table|view|index|function|type|procedure|trigger) (?:if not exists )?([\w."]+)/i,
  ],
  proto: [/^(?:message|service|enum|rpc) (\w+)/],
  c: C_LIKE,
}
const ALIASES: Readonly<Record<string, string>> = {
  ts: 'tsx mts cts',
  js: 'jsx mjs cjs vue svelte',
  py: 'pyi',
  sh: 'bash zsh',
  c: 'h cc cpp cxx hpp java kt kts scala cs swift',
}
const LANGUAGES = new Map(
  Object.entries(PATTERNS_BY_ENDING).flatMap(([ending, patterns]) =>
    [ending, ...(ALIASES[ending]?.split(' ') ?? [])].map((one) => [one, patterns] as const),
  ),
)
/** A command-line option in any language, because documentation mostly describes options. */
const OPTION = /["'`](--[a-z][\w-]{1,60})\b/
/** Words that start a line with a bracket but define nothing. */
const NO_NAME = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'else', 'function', 'new', 'do'])

/** Throws ToolRefusal. */
export async function outlineFiles(
  tree: FileTree,
  { path, folder = '', glob, name, offset = 0 }: OutlineInput,
  signal: AbortSignal,
): Promise<string> {
  const files = path === undefined ? filesBelow(tree, folder, glob) : [existingPath(tree, path)]
  const wanted = name?.toLowerCase()
  const found: string[] = []
  let bytes = 0
  let looked = 0
  for (const file of files) {
    signal.throwIfAborted()
    const size = tree.files.get(file)?.sizeBytes ?? 0
    if (looked >= MAX_FILES || bytes + size > MAX_BYTES || found.length > offset + PAGE) break
    looked += 1
    if (size > MAX_FILE_BYTES) continue
    bytes += size
    for (const { line, text, name: defined } of extractDefinitions(file, (await findText(tree, file)) ?? ''))
      if (wanted === undefined || defined.toLowerCase().includes(wanted))
        found.push(`${file}:${line}: ${text}`)
  }
  return formatOutline(found, { offset, looked, total: files.length })
}

export function* extractDefinitions(file: string, text: string): Generator<Definition> {
  const patterns = patternsFor(file)
  if (patterns === undefined) return
  let line = 0
  for (const written of text.split('\n')) {
    line += 1
    if (written.length > MAX_LINE) continue
    const bare = written.trim()
    const name = matchName(patterns, bare) ?? OPTION.exec(bare)?.[1]
    if (name !== undefined && !NO_NAME.has(name))
      yield { line, text: bare.slice(0, MAX_SHOWN_LINE_CHARACTERS), name }
  }
}

function matchName(patterns: Patterns, line: string): string | undefined {
  for (const pattern of patterns) {
    const name = pattern.exec(line)?.[1]
    if (name !== undefined && !NO_NAME.has(name)) return name
  }
  return undefined
}

function filesBelow(tree: FileTree, folder: string, glob: string | undefined): string[] {
  const folderPath = normalizePath(folder)
  const isIn = fileFilter(folderPath === '' ? '' : `${folderPath}/`, glob)
  const files = [...tree.files.keys()].filter(
    (file) => isIn(file) && isShown(file) && patternsFor(file) !== undefined,
  )
  if (files.length === 0)
    throw new ToolRefusal(
      `There are no files of a known language in ${quotePath(folderPath || '.')}${glob === undefined ? '' : ` that match ${quotePath(glob)}`}. List the files with list_code.`,
    )
  return files
}

function patternsFor(file: string): Patterns | undefined {
  return LANGUAGES.get(/\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '')
}

function formatOutline(
  found: readonly string[],
  { offset, looked, total }: { offset: number; looked: number; total: number },
): string {
  const shown = fitLines(found.slice(offset, offset + PAGE))
  const end = offset + shown.length
  const isMore = end < found.length
  const remaining =
    looked < total && !isMore ? ` ${total - looked} files were not searched. Give a folder.` : ''
  if (shown.length === 0)
    return `No ${offset > 0 ? 'more ' : ''}definitions found in ${plural(looked, 'file')}.${remaining}`
  const more = isMore
    ? `\n(There is more: call again with offset ${end}.)`
    : remaining && `\n(${remaining.trim()})`
  return `Definitions ${offset + 1} to ${end}:\n${shown.join('\n')}${more}`
}
