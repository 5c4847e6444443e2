/** Reads the request of a sample: a `curl` command or the text of an HTTP request. */

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
  return /^\s*curl\s/.test(command) ? readCurl(splitWords(command.replace(/\\\r?\n/g, ' '))) : null
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

const CURL_OPTIONS_WITH_VALUE = new Set(
  '-u --user -o --output -A --user-agent -b --cookie -F --form --max-time -m'.split(' '),
)

function readCurl(words: readonly string[]): SampleRequest | null {
  const headers = new Map<string, string>()
  const data: string[] = []
  let [method, url, isGet] = ['', '', false]
  for (let at = 1; at < words.length; at++) {
    const [word, given] = splitFlag(words[at] as string)
    const value = () => given ?? words[++at] ?? ''
    if (word === '-X' || word === '--request') method = value()
    else if (word === '-H' || word === '--header') addHeader(headers, value())
    else if (/^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json)$/.test(word)) data.push(value())
    else if (word === '--url') url = value()
    else if (word === '-G' || word === '--get') isGet = true
    else if (word === '-I' || word === '--head') method ||= 'HEAD'
    else if (CURL_OPTIONS_WITH_VALUE.has(word)) value()
    else if (!word.startsWith('-') && url === '') url = word
    // The rest of the line is another command or the target of a redirection.
    else if (word === '|' || word === '>') break
  }
  if (url === '') return null
  if (isGet && data.length > 0) url += `${url.includes('?') ? '&' : '?'}${data.join('&')}`
  const body = isGet || data.length === 0 ? null : data.join('&')
  return { method: (method || (body === null ? 'GET' : 'POST')).toUpperCase(), url, headers, body }
}

function splitFlag(word: string): [string, string | undefined] {
  const long = /^(--[\w-]+)=([\s\S]*)$/.exec(word)
  if (long !== null) return [long[1] as string, long[2]]
  const short = /^(-[XHd])([\s\S]+)$/.exec(word)
  return short === null ? [word, undefined] : [short[1] as string, short[2]]
}

/** Splits a command into words like a shell: both kinds of quotes, and backslashes outside single quotes. */
function splitWords(command: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let at = 0; at < command.length && words.length < MAX_WORDS; at++) {
    const one = command[at] as string
    if (quote !== null) {
      if (one === quote) quote = null
      else if (one === '\\' && quote === '"') word += command[++at] ?? ''
      else word += one
    } else if (one === '"' || one === "'") {
      quote = one
      word ??= ''
    } else if (/\s/.test(one)) {
      if (word !== null) words.push(word)
      word = null
    } else if (one === '\\') word = (word ?? '') + (command[++at] ?? '')
    else word = (word ?? '') + one
  }
  return word === null ? words : [...words, word]
}
