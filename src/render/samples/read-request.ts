/** Reads the request of a sample: a `curl` command or the text of an HTTP request. */
import { parseArgs } from 'node:util'

export interface SampleRequest {
  method: string
  url: string
  /** Header names are in lower case. */
  headers: Map<string, string>
  body: string | null
}

const MAX_WORDS = 2000

export function readRequest(language: string, code: string): SampleRequest | null {
  if (language === 'http') return readHttp(code)
  const command = code
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/^\s*\$ /, '')
  return /^\s*curl\s/.test(command) ? readCurl(splitWords(command.replace(/\\\r?\n/g, ' ')).slice(1)) : null
}

function readHttp(code: string): SampleRequest | null {
  const [first = '', ...lines] = code.split('\n')
  const [, method = '', url = ''] = /^([A-Z]+)\s+(\S+)/.exec(first) ?? []
  if (method === '') return null
  const headers = new Map<string, string>()
  const end = lines.findIndex((line) => line.trim() === '')
  for (const line of lines.slice(0, end < 0 ? lines.length : end)) addHeader(headers, line)
  const body = lines.slice(end < 0 ? lines.length : end + 1).join('\n')
  return { method, url, headers, body: body.trim() || null }
}

function addHeader(headers: Map<string, string>, line: string): void {
  const colon = line.indexOf(':')
  if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
}

const DATA_OPTION = /^(?:data(?:-raw|-binary|-ascii|-urlencode)?|json)$/
/** Options that take a value, which is not the URL. Others do not, or do not occur in samples. */
const CURL_OPTIONS = Object.fromEntries(
  [
    ...['request X', 'header H', 'data d', 'data-raw', 'data-binary', 'data-ascii', 'data-urlencode', 'json'],
    ...['url', 'user u', 'output o', 'user-agent A', 'cookie b', 'form F', 'max-time m'],
  ].map((option) => {
    const [name = '', short] = option.split(' ')
    return [name, { type: 'string' as const, ...(short !== undefined && { short }) }]
  }),
)

function readCurl(args: string[]): SampleRequest | null {
  const headers = new Map<string, string>()
  const data: string[] = []
  let [method, url, isGet] = ['', '', false]
  const { tokens } = parseArgs({
    ...{ args, options: CURL_OPTIONS, strict: false, allowPositionals: true, tokens: true },
  })
  for (const token of tokens) {
    // The rest of the line is another command or the target of a redirection.
    if (token.kind === 'positional' && /^[|>]$/.test(token.value) && url !== '') break
    if (token.kind === 'positional') url ||= token.value
    if (token.kind !== 'option') continue
    const { name, value = '' } = token
    if (name === 'request') method = value
    else if (name === 'header') addHeader(headers, value)
    else if (DATA_OPTION.test(name)) data.push(value)
    else if (name === 'url') url = value
    else if (name === 'G' || name === 'get') isGet = true
    else if (name === 'I' || name === 'head') method ||= 'HEAD'
  }
  if (url === '') return null
  if (isGet && data.length > 0) url += `${url.includes('?') ? '&' : '?'}${data.join('&')}`
  const body = isGet || data.length === 0 ? null : data.join('&')
  return { method: (method || (body === null ? 'GET' : 'POST')).toUpperCase(), url, headers, body }
}

const QUOTED = /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"?|'([^']*)'?/g
const WORD = /(?:\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?|[^\s"'\\])+/g

/** Splits a command into words like a shell: both kinds of quotes, and backslashes outside single quotes. */
function splitWords(command: string): string[] {
  const unquote = (_: string, escaped = '', double = '', single = '') =>
    escaped + double.replace(/\\([\s\S])/g, '$1') + single
  return [...command.matchAll(WORD).take(MAX_WORDS)].map(([word]) => word.replace(QUOTED, unquote))
}
