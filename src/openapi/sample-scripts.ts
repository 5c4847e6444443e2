/** Code samples in shells and scripting languages. Each is a complete program that prints the response. */
import type { SampleRequest } from './sample-call.ts'
import {
  JAVASCRIPT,
  literal,
  PHP,
  PYTHON,
  quoted,
  RUBY,
  rubyStringLiteral,
  shellStringLiteral,
  singleQuoted,
} from './sample-text.ts'

export function curlSample({ method, url, headers, body }: SampleRequest): string {
  const lines = [`curl --request ${method}`, `--url ${shellStringLiteral(url)}`]
  for (const [name, value] of headers) lines.push(`--header ${shellStringLiteral(`${name}: ${value}`)}`)
  if (body?.kind === 'json' || body?.kind === 'text') lines.push(`--data ${shellStringLiteral(body.text)}`)
  if (body?.kind === 'file') lines.push("--data-binary '@file'")
  if (body?.kind === 'form') {
    for (const { name, value } of body.fields)
      lines.push(`--data-urlencode ${shellStringLiteral(`${name}=${value}`)}`)
  }
  if (body?.kind === 'multipart') {
    for (const { name, value, isFile } of body.fields) {
      lines.push(`--form ${shellStringLiteral(`${name}=${isFile ? '@file' : value}`)}`)
    }
  }
  return lines.join(' \\\n  ')
}

export function pythonSample({ method, url, headers, body }: SampleRequest): string {
  const lines = ['import requests', '', `url = ${quoted(url)}`]
  const passed: string[] = []
  const shown = headers.filter(([name]) => body?.kind !== 'json' || !isContentType(name))
  const add = (name: string, value: string, argument = name) => {
    lines.push(`${name} = ${value}`)
    passed.push(`${argument}=${name}`)
  }
  if (shown.length > 0) add('headers', literal(PYTHON, Object.fromEntries(shown)))
  if (body?.kind === 'json') add('payload', literal(PYTHON, body.value), 'json')
  if (body?.kind === 'text') add('payload', quoted(body.text), 'data')
  if (body?.kind === 'file') add('payload', 'open("file", "rb")', 'data')
  if (body?.kind === 'form') add('payload', literal(PYTHON, fieldsToRecord(body.fields)), 'data')
  if (body?.kind === 'multipart') {
    const texts = body.fields.filter((field) => !field.isFile)
    const files = body.fields.filter((field) => field.isFile)
    if (texts.length > 0) add('payload', literal(PYTHON, fieldsToRecord(texts)), 'data')
    const opened = files.map(({ name }) => `${quoted(name)}: open("file", "rb")`)
    if (files.length > 0) add('files', `{${opened.join(', ')}}`)
  }
  const isKnownMethod = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'].includes(
    method.toLowerCase(),
  )
  const call = isKnownMethod
    ? `requests.${method.toLowerCase()}(${['url', ...passed].join(', ')})`
    : `requests.request(${[quoted(method), 'url', ...passed].join(', ')})`
  const print = method === 'HEAD' ? 'print(response.headers)' : 'print(response.text)'
  return [...lines, '', `response = ${call}`, '', print].join('\n')
}

export function javascriptSample({ method, url, headers, body }: SampleRequest): string {
  const lines: string[] = []
  const options = [`method: ${literal(JAVASCRIPT, method)}`]
  if (headers.length > 0) options.push(`headers: ${literal(JAVASCRIPT, Object.fromEntries(headers), 1)}`)
  if (body?.kind === 'json') options.push(`body: JSON.stringify(${literal(JAVASCRIPT, body.value, 1)})`)
  if (body?.kind === 'text') options.push(`body: ${literal(JAVASCRIPT, body.text)}`)
  if (body?.kind === 'file') options.push('body: file')
  if (body?.kind === 'form') {
    options.push(`body: new URLSearchParams(${literal(JAVASCRIPT, fieldsToRecord(body.fields), 1)})`)
  }
  if (body?.kind === 'multipart') {
    lines.push('const form = new FormData()')
    for (const { name, value, isFile } of body.fields) {
      const shown = isFile ? 'file' : literal(JAVASCRIPT, value)
      lines.push(`form.append(${literal(JAVASCRIPT, name)}, ${shown})`)
    }
    lines.push('')
    options.push('body: form')
  }
  const inner = options.map((option) => `  ${option}`).join(',\n')
  lines.push(`const response = await fetch(${literal(JAVASCRIPT, url)}, {`, `${inner},`, '})', '')
  lines.push(method === 'HEAD' ? 'console.log(response.status)' : 'console.log(await response.text())')
  return lines.join('\n')
}

export function phpSample({ method, url, headers, body }: SampleRequest): string {
  const options = [
    `CURLOPT_URL => ${singleQuoted(url)}`,
    'CURLOPT_RETURNTRANSFER => true',
    `CURLOPT_CUSTOMREQUEST => ${singleQuoted(method)}`,
  ]
  if (headers.length > 0) {
    const list = headers.map(([name, value]) => `${name}: ${value}`)
    options.push(`CURLOPT_HTTPHEADER => ${literal(PHP, list, 1)}`)
  }
  if (body?.kind === 'json') options.push(`CURLOPT_POSTFIELDS => json_encode(${literal(PHP, body.value, 1)})`)
  if (body?.kind === 'text') options.push(`CURLOPT_POSTFIELDS => ${singleQuoted(body.text)}`)
  if (body?.kind === 'file') options.push("CURLOPT_POSTFIELDS => file_get_contents('file')")
  if (body?.kind === 'form') {
    options.push(`CURLOPT_POSTFIELDS => http_build_query(${literal(PHP, fieldsToRecord(body.fields), 1)})`)
  }
  if (body?.kind === 'multipart') {
    const parts = body.fields.map(({ name, value, isFile }) => {
      return `        ${singleQuoted(name)} => ${isFile ? "new CURLFile('file')" : singleQuoted(value)}`
    })
    options.push(`CURLOPT_POSTFIELDS => [\n${parts.join(',\n')}\n    ]`)
  }
  const inner = options.map((option) => `    ${option}`).join(',\n')
  return `<?php\n\n$curl = curl_init();\n\ncurl_setopt_array($curl, [\n${inner},\n]);\n\n$response = curl_exec($curl);\n\necho $response;`
}

export function rubySample({ method, url, headers, body }: SampleRequest): string {
  const name = method.charAt(0) + method.slice(1).toLowerCase()
  const needsJson = body?.kind === 'json'
  const lines = [
    "require 'net/http'",
    ...(needsJson ? ["require 'json'"] : []),
    '',
    `uri = URI(${singleQuoted(url.replace(/[{}<>]/g, encodeURIComponent))})`,
    '',
    `request = Net::HTTP::${name}.new(uri)`,
  ]
  for (const [header, value] of headers)
    lines.push(`request[${rubyStringLiteral(header)}] = ${rubyStringLiteral(value)}`)
  if (body?.kind === 'json') lines.push(`request.body = ${literal(RUBY, body.value)}.to_json`)
  if (body?.kind === 'text') lines.push(`request.body = ${rubyStringLiteral(body.text)}`)
  if (body?.kind === 'file') lines.push("request.body = File.binread('file')")
  if (body?.kind === 'form') {
    const pairs = body.fields.map((field) => [field.name, field.value])
    lines.push(`request.set_form_data(${literal(RUBY, pairs)})`)
  }
  if (body?.kind === 'multipart') {
    const parts = body.fields.map(
      (field) =>
        `  [${rubyStringLiteral(field.name)}, ${field.isFile ? "File.open('file')" : rubyStringLiteral(field.value)}]`,
    )
    lines.push(`request.set_form([\n${parts.join(',\n')}\n], 'multipart/form-data')`)
  }
  const isSecure = !url.startsWith('http:')
  lines.push(
    '',
    `response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: ${isSecure}) do |http|`,
    '  http.request(request)',
    'end',
    '',
    'puts response.body',
  )
  return lines.join('\n')
}

/** Returns the last value for duplicate names. */
function fieldsToRecord(fields: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === 'content-type'
}
