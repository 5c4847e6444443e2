/** Extracts facts of a code file that a page can state: names with their lines and adjacent values. */
import { type CodeLine, isCodeFile, readCodeLines } from './code-text.ts'
import { ENVIRONMENT_VARIABLE_PATTERN, OPTION, pathKey } from './names.ts'
import { valuesInCode, valuesInText } from './values.ts'

/** `use` is an occurrence that is not a definition. */
export type FactKind = 'definition' | 'field' | 'option' | 'environment' | 'route' | 'text' | 'use'

export interface Fact {
  name: string
  line: number
  kind: FactKind
  value?: string
}

export interface CodeFacts {
  facts: Fact[]
  values: Map<number, string[]>
}

const MAX_BYTES = 1 << 20
/** Excludes tests, examples, generated and vendored files, which do not describe the product. */
const IGNORED =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|__tests__|__snapshots__|__mocks__|testdata|fixtures?|tests?|e2e|examples?|samples?|benchmarks?|bench|playground|playgrounds|integration|mocks?)\/|(?:^|\/)\.(?!env)|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|Cargo\.lock|poetry\.lock|uv\.lock|composer\.lock|tsconfig[\w.]*\.json)$|\.(?:min\.js|map|snap|lock|d\.ts\.map)$|[._-](?:test|spec|stories)s?(?:-d)?\.\w{1,5}$|(?:^|\/)(?:test_\w+|conftest)\.py$|(?:^|\/)(?:CHANGELOG|CITATION)[^/]*$/i

export function isIgnored(path: string): boolean {
  return IGNORED.test(path)
}

export function isReadableCodeFile(path: string, sizeBytes: number): boolean {
  return sizeBytes <= MAX_BYTES && isCodeFile(path) && !isIgnored(path)
}

const IDENTIFIER = /[A-Za-z_$][\w$]*/g
/** Matches keywords before the name in a definition. */
const KEYWORD_PATTERN =
  /(?:^|[^\w$.])(?:function\*?|class|def|fn|func|type|interface|struct|enum|trait|static|mod|macro_rules!|#define|namespace|record|module|union|object|fun|message|service|rpc)\s+(?:\([^)]{0,100}\)\s*)?$/
/** Matches declarations without indentation, because variables inside functions are local. */
const DECLARATION_PATTERN =
  /^(?:export |pub(?:\([\w: ]{1,20}\))? |static |declare )*(?:const|let|var|val)\s+(?:mut )?$/
/** Matches text after a name that makes it a key, field, parameter or assigned property. */
const KEY_AFTER = /^["']?[?!]?\s*(?::(?![:=])|=(?![=>]))/
/** Matches text before a name that KEY_AFTER accepts. `.` covers `this.name =` and `exports.name =`. */
const KEY_BEFORE =
  /(?:^\s*|[{(,|.]\s*|^\s*(?:(?:pub(?:\([\w: ]{1,20}\))?|public|private|protected|internal|readonly|static|final|export|declare|override|async|- ) ?)+)["']?$/
/** GO_FIELD, MEMBER and METHOD match lines in which all whitespace is reduced to single spaces. */
const GO_FIELD = /^([A-Z]\w*) (?:(?:[[*\]\w.]+|map\[[^\]]{0,60}\]\S+)(?: ?"")?|func\(.*)$/
const MEMBER = /^([A-Za-z]\w*) ?(?:\([^)]{0,200}\)|\{.{0,200})?,?$/
const METHOD =
  /^(?:(?:public|private|protected|static|async|readonly|override|get|set|final|abstract|virtual|export|default|synchronized) )*([\w$]+) ?(?:<[^>]{0,100}>)?\((?:.*\{|.*\) ?:[^;{]{1,100};?|)$/
/** Files in languages where every definition begins with a keyword. */
const KEYWORD_LANGUAGE_FILE = /\.(?:pyi?|go|rs|rb)$/
const IMPORT_START =
  /^\s*(?:(?:import|export)\s*(?:type\s*)?\{[^}]*$|from\s+\S+\s+import\s*\([^)]*$|(?:pub )?use\s[^;]*\{[^;]*$|import\s*\($|import\s+\w+,?\s*\{[^}]*$)/
const IMPORT_END = /[})]/
const KEYWORDS = new Set(
  'if for while switch catch return else function new do await import from const let var def fn func type match with as in is not and or pub use mod impl self this super try except finally raise throw yield case default break continue elif lambda None True False null nil undefined true false async static void int string bool float str self'.split(
    ' ',
  ),
)
const ASSERTION = /^\s*(?:debug_)?assert(?:_eq|_ne)?[!(. ]/
const FIELD_TAG = /\b[a-z]\w*:"([^"\s,]{1,100})[",]/g

export function readCode(path: string, text: string): CodeFacts {
  const facts: Fact[] = []
  const values = new Map<number, string[]>()
  const isKeyworded = KEYWORD_LANGUAGE_FILE.test(path)
  const isPython = /\.pyi?$/.test(path)
  let isImport = false
  for (const [index, { code, strings }] of readCodeLines(path, text).entries()) {
    const line = index + 1
    if (isImport || IMPORT_START.test(code)) {
      for (const [name] of code.matchAll(IDENTIFIER)) facts.push({ name: detach(name), line, kind: 'use' })
      isImport = !isImport ? true : !IMPORT_END.test(code)
      continue
    }
    // Rust files end with their unit tests.
    if (code.startsWith('#[cfg(test)]')) break
    if (ASSERTION.test(code)) continue
    const seen = new Map<string, Fact>()
    const add: AddFact = (name, kind, value) => {
      const before = seen.get(name)
      if (before === undefined) {
        const fact: Fact = { name: detach(name), line, kind }
        if (value !== undefined) fact.value = detach(value)
        seen.set(name, fact)
        facts.push(fact)
        return
      }
      if (before.kind === 'use') before.kind = kind
      if (value !== undefined) before.value ??= value
    }
    addIdentifiers({ code, strings }, { isKeyworded, isPython }, add)
    if (/\.(?:ya?ml|json)$/.test(path)) addDescription(code, add)
    for (const content of strings) addString(content, add)
    const found = new Set([
      ...valuesInCode(code),
      ...strings.filter((content) => content.length <= 60).flatMap(valuesOfString),
    ])
    if (found.size > 0) values.set(line, [...found])
  }
  return { facts, values }
}

type AddFact = (name: string, kind: FactKind, value?: string) => void

/** Matches a literal after a name: `: number = 3`, `: 3`, `:= "text"`, `= Duration(15 * time.Second)`. */
const ASSIGNED_VALUE_PATTERN =
  /^["']?[?!]?(?:\s*:\s*[\w<>|[\]., ]{1,60}?)?\s*(?:=(?![=>])|:(?!:)|:=)\s*(?:[\w.]{1,60}\()?(""|-?\d[\w.]*(?: ?\* ?[\w.]+)*|(?:true|false|True|False|null|None|nil|undefined)\b)/

function addIdentifiers(
  { code, strings }: CodeLine,
  { isKeyworded, isPython }: { isKeyworded: boolean; isPython: boolean },
  add: AddFact,
): void {
  if (code.trim() === '') return
  const bare = code.trim().replace(/\s+/g, ' ')
  const goField = GO_FIELD.exec(bare)?.[1]
  const member = isPython ? undefined : MEMBER.exec(bare)?.[1]
  const method = isKeyworded ? undefined : METHOD.exec(bare)?.[1]
  for (const { 0: name, index } of code.matchAll(IDENTIFIER)) {
    if (KEYWORDS.has(name)) continue
    const before = code.slice(Math.max(0, index - 120), index)
    const after = code.slice(index + name.length, index + name.length + 100)
    const value = assignedValue(code, index + name.length, strings)
    if (name === method || KEYWORD_PATTERN.test(before) || DECLARATION_PATTERN.test(before))
      add(name, 'definition', value)
    else if (name === goField || name === member || (KEY_AFTER.test(after) && KEY_BEFORE.test(before)))
      add(name, 'field', value)
    // An uppercase name that is used but not defined is an environment variable, as in `process.env.NAME`.
    else add(name, /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name) ? 'environment' : 'use', value)
  }
}

/** Adds unquoted paths and parameter names of API descriptions in YAML. */
function addDescription(code: string, add: AddFact): void {
  const route = /^\s*(\/[\w{}./:-]*)\s*:/.exec(code)?.[1]
  if (route !== undefined) add(pathKey(route), 'route')
  const name = /^\s*(?:- )?name: *([\w.-]+)\s*$/.exec(code)?.[1]
  if (name !== undefined) add(name, 'field')
}

function assignedValue(code: string, at: number, strings: readonly string[]): string | undefined {
  const after = code.slice(at, at + 100)
  if (!/^["']?[?!]?\s*[:=]/.test(after)) return undefined
  const literal = ASSIGNED_VALUE_PATTERN.exec(after)
  if (literal === null) return undefined
  if (literal[1] !== '""') return valuesInCode(literal[1] as string)[0]
  return strings[code.slice(0, at + literal[0].length - 2).split('""').length - 1]
}

function addString(content: string, add: AddFact): void {
  if (content === '') return
  for (const [option] of content.matchAll(OPTION)) add(option, 'option')
  for (const [name] of content.matchAll(ENVIRONMENT_VARIABLE_PATTERN)) add(name, 'environment')
  if (/\s/.test(content)) {
    for (const [, inner = ''] of content.matchAll(FIELD_TAG)) add(inner, 'field')
    if (/^[A-Z]+ \/\S*$/.test(content)) add(pathKey(content.slice(content.indexOf('/'))), 'route')
    return
  }
  if (content.length > 120) return
  if (content.includes('/')) {
    const path = content.replace(/^[a-z]+:\/\/[^/]+/, '')
    // A path that consists only of parameters does not identify a route.
    if (path.startsWith('/') && /[a-z]/i.test(path.replace(/\{[^}]{0,60}\}/g, '')))
      add(pathKey(path), 'route')
    add(content, 'text')
  } else if (content.startsWith('--')) return
  else {
    for (const [, inner = ''] of content.matchAll(FIELD_TAG)) add(inner, 'field')
    add(content, 'text')
  }
}

/** Ignores numbers in a text of several words, which is a message. */
function valuesOfString(content: string): string[] {
  if (content === '') return []
  if (!/\s/.test(content)) return [content, ...valuesInText(content)]
  return /^\d[\d.,_]* ?[A-Za-z]+$/.test(content) ? valuesInText(content) : []
}

/** Copies a slice, which otherwise keeps the whole text in memory. */
function detach(text: string): string {
  return text.length < 13 ? text : Buffer.from(text).toString()
}
