/** Finds functions whose parameters differ between two versions of a file. */
import type { CodeLine } from './operations/statements.ts'

export interface ChangedSignature {
  name: string
  /** Names of the parameters before (`was`) and after (`is`) the change. */
  was: string[]
  is: string[]
  before: CodeLine
  after: CodeLine
}

interface Signature extends CodeLine {
  parameters: string[]
}

const START =
  /^[ \t]{0,80}(?:(?:export|default|async|pub(?:\([\w: ]{1,20}\))?|public|private|protected|static|override|abstract|final|const|unsafe|declare) {1,4}){0,6}(?:(?:function\*?|def|fn|func(?: \([^)\n]{0,80}\))?) {1,4})?([A-Za-z_$][\w$]{0,100}) {0,4}(?:<[^>\n]{0,100}>|\[[^\]\n]{0,100}\])? {0,4}(?:[=:] {0,4}(?:async {0,4})?(?:function {0,4})?)?\(/gm
const NON_DEFINITION_KEYWORDS = new Set(
  'if for while switch catch return await new throw assert print expect elif with not and or yield super require import match'.split(
    ' ',
  ),
)
const MAX_LENGTH = 3000
const MAX_READ_TIMES = 10

export function changedSignatures(path: string, before: string, after: string): ChangedSignature[] {
  const [was, is] = [readSignatures(path, before), readSignatures(path, after)]
  const changed: ChangedSignature[] = []
  for (const [name, old] of was) {
    const now = is.get(name)
    // Overloads and functions with the same name in one file cannot be distinguished.
    if (old === null || now === null || now === undefined) continue
    if (old.parameters.join() === now.parameters.join()) continue
    changed.push({ name, was: old.parameters, is: now.parameters, before: old, after: now })
  }
  return changed
}

function readSignatures(path: string, text: string): Map<string, Signature | null> {
  const found = new Map<string, Signature | null>()
  const isKeyworded = /\.(?:py|rs|go)$/.test(path)
  // Limits the total work, because each unclosed list is read up to the maximum length.
  let budget = MAX_READ_TIMES * text.length
  let line = 1
  let at = 0
  for (const start of text.matchAll(START)) {
    const [head, name = ''] = start
    if (NON_DEFINITION_KEYWORDS.has(name) || (isKeyworded && !/\b(?:def|fn|func)\b/.test(head))) continue
    const open = start.index + head.length
    if (budget < 0) break
    const list = readList(text, open)
    budget -= list?.length ?? MAX_LENGTH
    // A call ends with `;` or a line break; a definition continues with a body, a type or an arrow.
    if (
      list === null ||
      (!isKeyworded &&
        !/^\s*(?:\{|:|=>|throws)/.test(text.slice(open + list.length + 1, open + list.length + 40)))
    )
      continue
    line += text.slice(at, start.index).split('\n').length - 1
    at = start.index
    const signature = {
      parameters: splitParameters(list),
      file: path,
      line,
      text: `${head.trim()}${list.replace(/\s+/g, ' ')})`.slice(0, 300),
    }
    const known = found.get(name)
    found.set(
      name,
      known === undefined || known?.parameters.join() === signature.parameters.join() ? signature : null,
    )
  }
  return found
}

function readList(text: string, open: number): string | null {
  let depth = 1
  for (let at = open; at < Math.min(text.length, open + MAX_LENGTH); at++) {
    const one = text[at] as string
    if ('([{'.includes(one)) depth++
    else if (')]}'.includes(one) && --depth === 0) return text.slice(open, at)
  }
  return null
}

function splitParameters(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const one of list.replace(/\/\*[^*]{0,300}\*\/|#[^\n]*|\/\/[^\n]*/g, ' ')) {
    if ('([{<'.includes(one)) depth++
    else if (')]}>'.includes(one)) depth--
    if (one === ',' && depth <= 0) {
      parts.push(part)
      part = ''
    } else part += one
  }
  return [...parts, part].flatMap((text) => {
    const name =
      /^\s*(?:@\w+ +)?(?:(?:public|private|readonly|mut|final|const) +)*[&*]{0,2}(?:\.{3})?([A-Za-z_$][\w$]*)/.exec(
        text,
      )?.[1]
    return name === undefined || ['self', 'cls', 'this'].includes(name) ? [] : [name]
  })
}
